/** The options of how accounts are protected, and what is kept of them: rows of the table. */
import { optionLimits } from './limits.ts';
import { option } from './option.ts';
import { oneOf, wholeNumber } from './values.ts';

export const accountOptions = [
  option({
    name: 'twoFactorFrom',
    environment: 'MURMURATION_TWO_FACTOR_FROM',
    schema: oneOf(['nobody', 'owner', 'admin', 'moderator', 'user']),
    default: 'nobody',
    sentence:
      'The lowest role that needs two-factor authentication: who has it or a higher one sets it up before using anything else.',
  }),
  option({
    name: 'signInDays',
    environment: 'MURMURATION_SIGN_IN_DAYS',
    schema: wholeNumber(0, optionLimits.signInDaysMax),
    default: 365,
    unit: 'days',
    sentence:
      'How long the server keeps when, how and from which IP addresses local accounts signed in; 0 keeps nothing of it.',
  }),
  option({
    name: 'deletionDays',
    environment: 'MURMURATION_DELETION_DAYS',
    schema: wholeNumber(0, optionLimits.deletionDaysMax),
    default: 7,
    unit: 'days',
    sentence:
      'How long people who delete their account can change their mind: nobody can use it until then. 0 deletes it at once.',
  }),
] as const;

/** PATCH and PUT /api/v1/accounts/update_credentials (specification 4.2 names PUT, current clients send PATCH). */

import { z } from 'zod';
import { visibilities } from '../../../actors/account/account.records.ts';
import { quotePolicies } from '../../../actors/account/quotes/quotes.records.ts';
import { replyPolicies } from '../../../actors/account/statuses/reply-policy.records.ts';
import { changeProfile } from '../../../operations/profile/change-profile.ts';
import { CredentialAccountEntity } from '../../entities/account.ts';
import { httpLimits } from '../../http/limits.ts';
import { boolean, choice, group, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { profileChanges, profileParameters } from '../profile/profile-parameters.ts';
import { credentialsAnswer } from './credentials-answer.ts';

const parameters = z.object({
  ...profileParameters,
  source: group({
    privacy: choice(visibilities),
    sensitive: boolean,
    language: text,
    quote_policy: choice(quotePolicies),
    reply_policy: choice(replyPolicies),
  }),
});

export const updateCredentials = endpoint({
  methods: ['PATCH', 'PUT'],
  path: '/api/v1/accounts/update_credentials',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters,
  // A text of too many units in few characters is refused by a sentence about its field.
  bodyBytesMax: httpLimits.bodyBytesMax,
  summary: 'Changes the profile and the preferences of the user; omitted parameters stay unchanged.',
  answer: CredentialAccountEntity,
  async handler(context, given) {
    const { source } = given;
    await changeProfile(context, {
      ...profileChanges(given),
      defaultPrivacy: source?.privacy,
      defaultSensitive: source?.sensitive,
      defaultLanguage: source?.language,
      defaultQuotePolicy: source?.quote_policy,
      defaultReplyPolicy: source?.reply_policy,
    });
    return credentialsAnswer(context.services, context.grant);
  },
});

/** Validation of each field of a sign-up. */
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { isEmailTaken, isNameTaken } from '../../actors/directory/directory.queries.ts';
import type { Services } from '../../services/services.ts';
import {
  accepted,
  blank,
  type FieldProblem,
  invalid,
  refuseFields,
  reserved,
  taken,
  tooLong,
  tooShort,
} from '../refused-fields.ts';
import { admissionOfEmail, admissionOfName } from './admission.ts';
import { registrationLimits } from './limits.ts';
import { isReservedUsername, usernamePattern } from './usernames.ts';

const invalidUsername: FieldProblem = {
  kind: 'invalid',
  words: 'must contain only letters, numbers and underscores',
  reason: 'usernameCharacters',
};

/** One @ with something before it, and a host with a dot; only mail itself could prove more. */
const emailPattern = /^[^\s@<>()[\],;:"\\]+@[^\s@.]+(?:\.[^\s@.]+)+$/u;

export function isEmailAddress(email: string): boolean {
  return emailPattern.test(email.trim()) && email.length <= registrationLimits.emailCharactersMax;
}

interface SignUp {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly agreement: boolean;
  readonly reason?: string | undefined;
}

/** Whether staff have to approve the name or the address first. Throws FieldsRefused. */
export function checkSignUp(
  services: Pick<Services, 'snapshots' | 'mail'>,
  wish: SignUp,
  { needsReason }: { readonly needsReason: boolean },
): boolean {
  const name = admissionOfName(services, wish.username);
  const address = admissionOfEmail(services, wish.email);
  refuseFields({
    username: firstOf(usernameProblems(services, wish.username), name.problems),
    email: firstOf(emailProblems(services, wish.email), address.problems),
    password: passwordProblems(wish.password),
    agreement: wish.agreement ? [] : [accepted],
    reason: reasonProblems(wish.reason ?? '', needsReason),
  });
  return name.admission === 'approval' || address.admission === 'approval';
}

function reasonProblems(reason: string, isNeeded: boolean): FieldProblem[] {
  const { reasonCharactersMax } = registrationLimits;
  if (isNeeded && reason.trim() === '') return [blank];
  return reason.length > reasonCharactersMax ? [tooLong(reasonCharactersMax)] : [];
}

/** What is wrong with the value itself hides what staff think of it. */
function firstOf(own: readonly FieldProblem[], ofStaff: readonly FieldProblem[]): readonly FieldProblem[] {
  return own.length > 0 ? own : ofStaff;
}

function usernameProblems({ snapshots }: Pick<Services, 'snapshots'>, username: string): FieldProblem[] {
  if (username === '') return [blank];
  const { usernameCharactersMax } = registrationLimits;
  if (username.length > usernameCharactersMax) return [tooLong(usernameCharactersMax)];
  if (!usernamePattern.test(username)) return [invalidUsername];
  if (isReservedUsername(username)) return [reserved];
  return isNameTaken(snapshots, nameOfHandle(username, undefined)) ? [taken] : [];
}

/** Where mail is sent nobody is told whether an address is known: its owner is. */
function emailProblems({ snapshots, mail }: Pick<Services, 'snapshots' | 'mail'>, email: string): FieldProblem[] {
  if (email.trim() === '') return [blank, invalid];
  const { emailCharactersMax } = registrationLimits;
  if (email.length > emailCharactersMax) return [tooLong(emailCharactersMax)];
  if (!isEmailAddress(email)) return [invalid];
  return !mail.isOn && isEmailTaken(snapshots, email) ? [taken] : [];
}

export function passwordProblems(password: string): FieldProblem[] {
  if (password === '') return [blank];
  const { passwordCharactersMin, passwordBytesMax } = registrationLimits;
  if (password.length < passwordCharactersMin) return [tooShort(passwordCharactersMin)];
  return Buffer.byteLength(password) > passwordBytesMax ? [tooLong(passwordBytesMax, 'bytes')] : [];
}

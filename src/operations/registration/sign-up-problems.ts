/** What may be wrong with each field of a sign-up. */
import { nameOfEmail, nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { isNameTaken } from '../../actors/directory/directory.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { registrationLimits } from './limits.ts';
import { isReservedUsername, usernamePattern } from './usernames.ts';

export type ProblemKind = 'accepted' | 'blank' | 'invalid' | 'reserved' | 'taken' | 'tooLong' | 'tooShort';

export interface FieldProblem {
  readonly kind: ProblemKind;
  /** What the field does: `is reserved`. */
  readonly words: string;
}

/** By field; fields without any are absent. */
export type FieldProblems = Readonly<Record<string, readonly FieldProblem[]>>;

/** The sign-up is refused; its message holds all problems as one sentence. */
export class SignUpRefused extends Failure {
  readonly problems: FieldProblems;

  constructor(problems: FieldProblems) {
    const sentences = Object.entries(problems).flatMap(([field, found]) =>
      found.map(({ words }) => `${field[0]!.toUpperCase()}${field.slice(1)} ${words}`),
    );
    super('validation', { text: `Validation failed: ${sentences.join(', ')}` });
    this.problems = problems;
  }
}

const accepted: FieldProblem = { kind: 'accepted', words: 'must be accepted' };
const blank: FieldProblem = { kind: 'blank', words: "can't be blank" };
const invalid: FieldProblem = { kind: 'invalid', words: 'is invalid' };
const invalidUsername: FieldProblem = {
  kind: 'invalid',
  words: 'must contain only letters, numbers and underscores',
};
const reserved: FieldProblem = { kind: 'reserved', words: 'is reserved' };
export const taken: FieldProblem = { kind: 'taken', words: 'has already been taken' };

const tooLong = (maximum: number, unit = 'characters'): FieldProblem => ({
  kind: 'tooLong',
  words: `is too long (maximum is ${maximum} ${unit})`,
});
const tooShort = (minimum: number): FieldProblem => ({
  kind: 'tooShort',
  words: `is too short (minimum is ${minimum} characters)`,
});

/** One sign with something before it, and a host with a dot behind it; whether mail arrives there, only mail can tell. */
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

/** Throws SignUpRefused. */
export function checkSignUp(services: Pick<Services, 'snapshots'>, wish: SignUp): void {
  const { reasonCharactersMax } = registrationLimits;
  const found: Record<string, readonly FieldProblem[]> = {
    username: usernameProblems(services, wish.username),
    email: emailProblems(services, wish.email),
    password: passwordProblems(wish.password),
    agreement: wish.agreement ? [] : [accepted],
    reason: (wish.reason?.length ?? 0) > reasonCharactersMax ? [tooLong(reasonCharactersMax)] : [],
  };
  const problems = Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
  if (Object.keys(problems).length > 0) throw new SignUpRefused(problems);
}

function usernameProblems({ snapshots }: Pick<Services, 'snapshots'>, username: string): FieldProblem[] {
  if (username === '') return [blank];
  const { usernameCharactersMax } = registrationLimits;
  if (username.length > usernameCharactersMax) return [tooLong(usernameCharactersMax)];
  if (!usernamePattern.test(username)) return [invalidUsername];
  if (isReservedUsername(username)) return [reserved];
  return isNameTaken(snapshots, nameOfHandle(username, undefined)) ? [taken] : [];
}

function emailProblems({ snapshots }: Pick<Services, 'snapshots'>, email: string): FieldProblem[] {
  if (email.trim() === '') return [blank, invalid];
  const { emailCharactersMax } = registrationLimits;
  if (email.length > emailCharactersMax) return [tooLong(emailCharactersMax)];
  if (!isEmailAddress(email)) return [invalid];
  return isNameTaken(snapshots, nameOfEmail(email)) ? [taken] : [];
}

function passwordProblems(password: string): FieldProblem[] {
  if (password === '') return [blank];
  const { passwordCharactersMin, passwordBytesMax } = registrationLimits;
  if (password.length < passwordCharactersMin) return [tooShort(passwordCharactersMin)];
  return Buffer.byteLength(password) > passwordBytesMax ? [tooLong(passwordBytesMax, 'bytes')] : [];
}

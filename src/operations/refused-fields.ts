/**
 * Validation errors by input field: the API lists them in `details`, in English as Mastodon does, and pages show them at
 * the field in the visitor's language.
 */
import { Failure } from '../runtime/errors.ts';

export type ProblemKind = 'accepted' | 'blank' | 'blocked' | 'invalid' | 'reserved' | 'taken' | 'tooLong' | 'tooShort';

/** What is wrong, where more can be said than the kind does. */
export type ProblemReason =
  | 'tooManyBytes'
  | 'usernameCharacters'
  | 'notThePassword'
  | 'accountUnknown'
  | 'accountItself'
  | 'accountDoesNotAgree'
  | 'oneTooMany'
  | 'labelMissing'
  | 'noPlace'
  | 'tooFewAnswers'
  | 'tooManyAnswers'
  | 'answersTooLong'
  | 'answersRepeated'
  | 'tooFarAhead'
  | 'tooSoon'
  | 'eventsNotAllowed'
  | 'disallowedHashtag';

export interface FieldProblem {
  readonly kind: ProblemKind;
  /** For the API: the predicate of a sentence, `is reserved`. */
  readonly words: string;
  /** For pages, which say it in the visitor's language; absent where the kind says enough. */
  readonly reason?: ProblemReason;
  /** The bound that it is about. */
  readonly limit?: number;
  /** For a field with several rows: the row, counted from 0 as given, and the subject of the sentence. */
  readonly row?: { readonly index: number; readonly subject: string };
}

/** By the field names of the operation's input; fields without problems are absent. */
export type FieldProblems = Readonly<Record<string, readonly FieldProblem[]>>;

/** The input is refused; the message is one sentence with all problems. */
export class FieldsRefused extends Failure {
  readonly problems: FieldProblems;

  constructor(problems: FieldProblems) {
    const sentences = Object.entries(problems).flatMap(([field, found]) =>
      found.map(({ row, words }) => `${row?.subject ?? subjectOf(field)} ${words}`),
    );
    super('validation', { text: sentences.join(', ') });
    this.problems = problems;
  }
}

/** Throws FieldsRefused where there is any problem. */
export function refuseFields(found: FieldProblems): void {
  const problems = Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
  if (Object.keys(problems).length > 0) throw new FieldsRefused(problems);
}

/** `displayName` becomes `Display name`. */
function subjectOf(field: string): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0]!.toUpperCase() + words.slice(1);
}

export const accepted: FieldProblem = { kind: 'accepted', words: 'must be accepted' };
export const blank: FieldProblem = { kind: 'blank', words: "can't be blank" };
export const invalid: FieldProblem = { kind: 'invalid', words: 'is invalid' };
export const reserved: FieldProblem = { kind: 'reserved', words: 'is reserved' };
export const taken: FieldProblem = { kind: 'taken', words: 'has already been taken' };

export function tooLong(maximum: number, unit = 'characters'): FieldProblem {
  const words = `is too long (maximum is ${maximum} ${unit})`;
  return { kind: 'tooLong', words, ...(unit === 'bytes' && { reason: 'tooManyBytes' as const }), limit: maximum };
}

/** For texts in which links count a fixed number. */
export function overCharacterLimit(maximum: number): FieldProblem {
  return { kind: 'tooLong', words: `character limit of ${maximum} exceeded`, limit: maximum };
}

export function tooShort(minimum: number): FieldProblem {
  return { kind: 'tooShort', words: `is too short (minimum is ${minimum} characters)`, limit: minimum };
}

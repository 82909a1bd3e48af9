/** Validation errors by input field: pages show them at the field, the API lists them in `details`. */
import { Failure } from '../runtime/errors.ts';

export type ProblemKind = 'accepted' | 'blank' | 'invalid' | 'reserved' | 'taken' | 'tooLong' | 'tooShort';

export interface FieldProblem {
  readonly kind: ProblemKind;
  /** What the field does: `is reserved`. */
  readonly words: string;
  /** Of a field with several rows: which one, from 0 as they were given, and what the problem is about. */
  readonly row?: { readonly index: number; readonly subject: string };
}

/** By the names that the input of the operation has; fields without any are absent. */
export type FieldProblems = Readonly<Record<string, readonly FieldProblem[]>>;

/** The input is refused; the message holds all problems as one sentence. */
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

/** Throws FieldsRefused where there is a problem. */
export function refuseFields(found: FieldProblems): void {
  const problems = Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
  if (Object.keys(problems).length > 0) throw new FieldsRefused(problems);
}

/** `displayName` is `Display name`. */
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
  return { kind: 'tooLong', words: `is too long (maximum is ${maximum} ${unit})` };
}

export function tooShort(minimum: number): FieldProblem {
  return { kind: 'tooShort', words: `is too short (minimum is ${minimum} characters)` };
}

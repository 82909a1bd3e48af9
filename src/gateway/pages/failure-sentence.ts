/** Failures and problems of fields, as pages say them. The API says the same in English (http/failures.ts). */
import { type FieldProblem, FieldsRefused } from '../../operations/refused-fields.ts';
import type { Failure } from '../../runtime/errors.ts';
import type { Words } from '../../services/words/languages.ts';

/** A whole sentence: the reason if it has one, otherwise what its code says. */
export function failureSentence({ problems }: Words, { code, reason, limit }: Failure): string {
  return reason === undefined ? problems.failures[code] : withLimit(problems.refusals[reason], limit);
}

/** The first problem of its fields, or the failure itself: for forms with one field. */
export function refusalSentence(words: Words, failure: Failure): string {
  const [first] = failure instanceof FieldsRefused ? Object.values(failure.problems) : [];
  return problemSentence(words, first) ?? failureSentence(words, failure);
}

/** The problem of a field; the first one is enough. Undefined where there is none. */
export function problemSentence({ problems }: Words, found: readonly FieldProblem[] = []): string | undefined {
  const [first] = found;
  return first && withLimit(problems.fields[first.reason ?? first.kind], first.limit);
}

function withLimit(say: string | ((values: { limit: number }) => string), limit = 0): string {
  return typeof say === 'string' ? say : say({ limit });
}

/** A form that was refused: what was given, and what is wrong with it. */
import { type FieldProblems, FieldsRefused } from '../../operations/refused-fields.ts';
import { asFailure } from '../../runtime/errors.ts';
import { textOf } from '../http/failures.ts';

export interface Refused<Draft> {
  readonly draft: Draft;
  /** At the fields; or of the whole. */
  readonly problems: FieldProblems;
  readonly problem?: string;
}

/** Throws what is no refusal of what was given. */
export function refusedDraft<Draft>(draft: Draft, error: unknown): Refused<Draft> {
  if (error instanceof FieldsRefused) return { draft, problems: error.problems };
  const failure = asFailure(error);
  if (failure.code !== 'validation') throw failure;
  return { draft, problems: {}, problem: textOf(failure) };
}

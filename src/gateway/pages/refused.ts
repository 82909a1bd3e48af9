/** A refused form: its input and the problems. */
import type { AuditMoments } from '../../actors/audit.records.ts';
import { type FieldProblems, FieldsRefused } from '../../operations/refused-fields.ts';
import { asFailure } from '../../runtime/errors.ts';
import type { Html } from '../../services/words/html.ts';
import type { Words } from '../../services/words/languages.ts';
import { failureSentence } from './failure-sentence.ts';

export interface Refused<Draft> {
  readonly draft: Draft;
  /** By field, or of the whole form. */
  readonly problems: FieldProblems;
  readonly problem?: string;
  /** Below the problem. */
  readonly more?: Html | undefined;
  /** Of a form of staff: what its page had shown. Absent where it shows what was decided since. */
  readonly known?: AuditMoments | undefined;
  /** Of a form of staff: somebody else has decided meanwhile. */
  readonly isLate?: true;
}

/** Throws errors that are not about the input. */
export function refusedDraft<Draft>(words: Words, draft: Draft, error: unknown): Refused<Draft> {
  if (error instanceof FieldsRefused) return { draft, problems: error.problems };
  const failure = asFailure(error);
  if (failure.code !== 'validation') throw failure;
  return { draft, problems: {}, problem: failureSentence(words, failure) };
}

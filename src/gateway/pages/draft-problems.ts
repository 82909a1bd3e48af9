/** What is wrong with a post that was written, by the fields of its form. */
import { FieldsRefused } from '../../operations/refused-fields.ts';
import { asFailure } from '../../runtime/errors.ts';
import { textOf } from '../http/failures.ts';
import type { DraftField, DraftProblems } from './parts/compose.ts';
import type { ChosenMoment } from './parts/moment.ts';
import { timeProblem } from './scheduled-time.ts';

const subjects: Readonly<Record<Exclude<DraftField, 'scheduledAt'>, string>> = {
  text: 'Text',
};

/** A refusal that names no field of the text is one of the time, where one was chosen. Throws what is no refusal. */
export function draftProblems(error: unknown, moment: ChosenMoment | undefined, now: number): DraftProblems {
  const failure = asFailure(error);
  if (failure.code !== 'validation') throw failure;
  const named = failure instanceof FieldsRefused ? namedProblems(failure) : {};
  if (Object.keys(named).length > 0) return named;
  return moment === undefined ? { text: textOf(failure) } : { scheduledAt: timeProblem(failure, moment, now) };
}

function namedProblems({ problems }: FieldsRefused): DraftProblems {
  const sentences = Object.entries(subjects).flatMap(([field, subject]) => {
    const [first] = problems[field] ?? [];
    return first === undefined ? [] : [[field, `${subject} ${first.words}`] as const];
  });
  return Object.fromEntries(sentences);
}

/** Reads the form of a post, and maps refusals to its fields. */
import { FieldsRefused } from '../../../operations/refused-fields.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { textOf } from '../../http/failures.ts';
import type { Draft, DraftField, DraftProblems } from '../parts/compose.ts';
import { type ChosenMoment, chosenMoment } from '../parts/moment.ts';
import { pollIn } from '../parts/poll-fields.ts';
import { quotePolicyIn } from '../parts/quote-policy.ts';
import type { SignedInForm } from '../signed-in-form.ts';
import { scheduledTimeName, timeProblem } from './scheduled-time.ts';

/** `endsAt`: the end of the edited poll. */
export function draftIn({ fields, returnTo }: SignedInForm, endsAt?: number) {
  return {
    text: fields.get('status') ?? '',
    warning: fields.get('spoiler_text') ?? '',
    moment: chosenMoment(fields, scheduledTimeName),
    poll: pollIn(fields, endsAt),
    quotePolicy: quotePolicyIn(fields, 'quote_policy'),
    returnTo,
  } satisfies Partial<Draft>;
}

const subjects: Readonly<Record<Exclude<DraftField, 'scheduledAt'>, string>> = {
  text: 'Text',
  pollOptions: 'The answers',
  pollExpiresAt: 'The end of the poll',
};

/** A refusal that names no field of the post concerns the chosen time. Throws other errors. */
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

/** Reads the form of a post, and maps refusals to its fields. */
import { FieldsRefused } from '../../../operations/refused-fields.ts';
import { languageOf } from '../../../operations/statuses/written-status.ts';
import { asFailure } from '../../../runtime/errors.ts';
import type { Words } from '../../../services/words/languages.ts';
import { failureSentence, problemSentence } from '../failure-sentence.ts';
import type { Draft, DraftField, DraftProblems } from '../parts/compose.ts';
import { type ChosenMoment, chosenMoment } from '../parts/moment.ts';
import { pollIn } from '../parts/poll-fields.ts';
import { quotePolicyIn } from '../parts/quote-policy.ts';
import { replyPolicyIn } from '../parts/reply-policy.ts';
import type { SignedInForm } from '../signed-in-form.ts';
import type { Visit } from '../visit.ts';
import { scheduledTimeName, timeProblem } from './scheduled-time.ts';

/** `endsAt`: the end of the edited poll. */
export function draftIn({ fields, returnTo }: SignedInForm, endsAt?: number) {
  return {
    text: fields.get('status') ?? '',
    warning: fields.get('spoiler_text') ?? '',
    language: languageOf(fields.get('language')),
    moment: chosenMoment(fields, scheduledTimeName),
    poll: pollIn(fields, endsAt),
    quotePolicy: quotePolicyIn(fields, 'quote_policy'),
    replyPolicy: replyPolicyIn(fields, 'reply_policy'),
    stays: fields.get('local_only') === undefined ? undefined : ('chosen' as const),
    returnTo,
  } satisfies Partial<Draft>;
}

const fields: readonly Exclude<DraftField, 'scheduledAt' | 'media'>[] = ['text', 'pollOptions', 'pollExpiresAt'];

/** A refusal that names no field of the post concerns the chosen time. Throws other errors. */
export function draftProblems(
  { words, now }: Pick<Visit, 'words' | 'now'>,
  error: unknown,
  moment: ChosenMoment | undefined,
): DraftProblems {
  const failure = asFailure(error);
  if (failure.code === 'mediaRefused') return { media: failureSentence(words, failure) };
  if (failure.code !== 'validation') throw failure;
  const named = failure instanceof FieldsRefused ? namedProblems(words, failure) : {};
  if (Object.keys(named).length > 0) return named;
  return moment === undefined
    ? { text: failureSentence(words, failure) }
    : { scheduledAt: timeProblem({ words, now }, failure, moment) };
}

function namedProblems(words: Words, { problems }: FieldsRefused): DraftProblems {
  const sentences = fields.flatMap((field) => {
    const sentence = problemSentence(words, problems[field]);
    return sentence === undefined ? [] : [[field, sentence] as const];
  });
  return Object.fromEntries(sentences);
}

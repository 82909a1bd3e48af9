/** The field for the time of a scheduled post. */
import { scheduledLimits } from '../../../actors/account/scheduled/limits.ts';
import { FieldsRefused, invalid } from '../../../operations/refused-fields.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { failureSentence } from '../failure-sentence.ts';
import type { ChosenMoment } from '../parts/moment.ts';
import type { Visit } from '../visit.ts';

export const scheduledTimeName = 'scheduled_at';

/** Throws FieldsRefused for an invalid time. */
export function scheduledTimeOf({ at }: ChosenMoment): number {
  if (at === undefined) throw new FieldsRefused({ scheduledAt: [invalid] });
  return at;
}

/** Why a time was refused, as a sentence. Throws errors that are not about the time. */
export function timeProblem(
  { words, now }: Pick<Visit, 'words' | 'now'>,
  error: unknown,
  { at }: ChosenMoment,
): string {
  const failure = asFailure(error);
  if (failure.code !== 'validation') throw failure;
  if (at === undefined) return words.writing.moment.noTime;
  const { aheadMillisecondsMin } = scheduledLimits;
  const isTooEarly = at <= now + aheadMillisecondsMin;
  return isTooEarly
    ? words.writing.moment.tooEarly({ minutes: aheadMillisecondsMin / 60_000 })
    : failureSentence(words, failure);
}

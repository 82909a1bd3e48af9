/** Validates the poll of a new status (behaviour of the Mastodon API). */
import { pollLimits } from '../../actors/account/polls/limits.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { blank, type FieldProblem, FieldsRefused } from '../refused-fields.ts';
import { exceedsCharacters } from '../text-lengths.ts';

export interface WrittenPoll {
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly hideTotals: boolean;
  readonly expiresInSeconds?: number | undefined;
}

const { optionsMin, optionsMax, optionCharactersMax, expirySecondsMin, expirySecondsMax } = pollLimits;

/** Blank options are ignored. Throws FieldsRefused. */
export function checkedPoll(given: WrittenPoll): NonNullable<PublishStatus['poll']> {
  const { multiple, hideTotals, expiresInSeconds } = given;
  const options = given.options.map(cleanText).filter((option) => option !== '');
  if (options.length < optionsMin)
    throw refused('pollOptions', { kind: 'tooShort', words: 'must have more than one item', reason: 'tooFewAnswers' });
  if (options.length > optionsMax)
    throw refused('pollOptions', {
      kind: 'tooLong',
      words: `can't contain more than ${optionsMax} items`,
      reason: 'tooManyAnswers',
      limit: optionsMax,
    });
  if (options.some((option) => exceedsCharacters(option, optionCharactersMax)))
    throw refused('pollOptions', {
      kind: 'tooLong',
      words: `cannot be longer than ${optionCharactersMax} characters each`,
      reason: 'answersTooLong',
      limit: optionCharactersMax,
    });
  if (new Set(options).size < options.length)
    throw refused('pollOptions', { kind: 'taken', words: 'contain duplicate items', reason: 'answersRepeated' });
  if (expiresInSeconds === undefined) throw refused('pollExpiresAt', blank);
  if (expiresInSeconds > expirySecondsMax)
    throw refused('pollExpiresAt', { kind: 'invalid', words: 'is too far into the future', reason: 'tooFarAhead' });
  if (expiresInSeconds < expirySecondsMin)
    throw refused('pollExpiresAt', { kind: 'invalid', words: 'is too soon', reason: 'tooSoon' });
  return { options, multiple, hideTotals, expiresInSeconds };
}

function refused(field: string, problem: FieldProblem): FieldsRefused {
  return new FieldsRefused({ [field]: [problem] });
}

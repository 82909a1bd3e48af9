/** Validates the poll of a new status (behaviour of the Mastodon API). */
import { pollLimits } from '../../actors/account/polls/limits.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { FieldsRefused, type ProblemKind } from '../refused-fields.ts';
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
  if (options.length < optionsMin) throw refused('pollOptions', 'tooShort', 'must have more than one item');
  if (options.length > optionsMax)
    throw refused('pollOptions', 'tooLong', `can't contain more than ${optionsMax} items`);
  if (options.some((option) => exceedsCharacters(option, optionCharactersMax)))
    throw refused('pollOptions', 'tooLong', `cannot be longer than ${optionCharactersMax} characters each`);
  if (new Set(options).size < options.length) throw refused('pollOptions', 'taken', 'contain duplicate items');
  if (expiresInSeconds === undefined || expiresInSeconds > expirySecondsMax)
    throw refused('pollExpiresAt', 'invalid', 'is too far into the future');
  if (expiresInSeconds < expirySecondsMin) throw refused('pollExpiresAt', 'invalid', 'is too soon');
  return { options, multiple, hideTotals, expiresInSeconds };
}

function refused(field: string, kind: ProblemKind, words: string): FieldsRefused {
  return new FieldsRefused({ [field]: [{ kind, words }] });
}

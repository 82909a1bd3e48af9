/** The poll of a status as it was written, checked (behaviour of the Mastodon API). */
import { pollLimits } from '../../actors/account/polls/limits.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { validationFailure } from '../../runtime/errors.ts';
import { exceedsCharacters } from '../text-lengths.ts';

export interface WrittenPoll {
  readonly options: readonly string[];
  readonly multiple: boolean;
  readonly hideTotals: boolean;
  readonly expiresInSeconds?: number | undefined;
}

const { optionsMin, optionsMax, optionCharactersMax, expirySecondsMin, expirySecondsMax } = pollLimits;

/** Blank options count as not given. Throws Failure validation. */
export function checkedPoll(given: WrittenPoll): NonNullable<PublishStatus['poll']> {
  const { multiple, hideTotals, expiresInSeconds } = given;
  const options = given.options.map(cleanText).filter((option) => option !== '');
  if (options.length < optionsMin) throw validationFailure('Poll options must have more than one item');
  if (options.length > optionsMax) throw validationFailure(`Poll options can't contain more than ${optionsMax} items`);
  if (options.some((option) => exceedsCharacters(option, optionCharactersMax)))
    throw validationFailure(`Poll options cannot be longer than ${optionCharactersMax} characters each`);
  if (new Set(options).size < options.length) throw validationFailure('Poll options contain duplicate items');
  if (expiresInSeconds === undefined || expiresInSeconds > expirySecondsMax)
    throw validationFailure('Poll expires at is too far into the future');
  if (expiresInSeconds < expirySecondsMin) throw validationFailure('Poll expires at is too soon');
  return { options, multiple, hideTotals, expiresInSeconds };
}

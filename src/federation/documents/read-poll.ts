/** Reads a remote poll: a Question with its options and totals. */
import { pollLimits } from '../../actors/account/polls/limits.ts';
import type { Poll, PollTally } from '../../actors/account/polls/polls.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { cutTextOf, objectsOf, timeOf } from './values.ts';

export interface RemotePoll {
  readonly poll: Poll;
  readonly tally: Pick<PollTally, 'votes' | 'voters'>;
}

/** Undefined for a Question without usable options. */
export function readPoll(object: JsonObject): RemotePoll | undefined {
  // Pleroma sends both lists, one of them empty.
  const anyOf = objectsOf(object.anyOf, pollLimits.remoteOptionsMax);
  const multiple = anyOf.length > 0;
  const choices = multiple ? anyOf : objectsOf(object.oneOf, pollLimits.remoteOptionsMax);
  if (choices.length === 0) return undefined;
  const options = choices.map(({ name }) => cleanText(cutTextOf(name, pollLimits.remoteOptionCharactersMax)));
  const votes = choices.map(({ replies }) => countOf(isJsonObject(replies) ? replies.totalItems : undefined));
  // In `closed` some servers give the time when the poll ended, others only the fact.
  const end = timeOf(object.closed) ?? timeOf(object.endTime);
  const expiresAt = end ?? (object.closed === true ? timeOf(object.updated ?? object.published) : undefined);
  const voters = object.votersCount === undefined ? undefined : countOf(object.votersCount);
  return {
    poll: { options, multiple, hideTotals: false, expiresAt },
    tally: { votes, voters: voters ?? (multiple ? undefined : votes.reduce((sum, one) => sum + one, 0)) },
  };
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

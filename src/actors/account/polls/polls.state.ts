/** The keyspaces of polls: totals and votes with the author, and each vote with its voter too. */
import type { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { agreement, disagreement, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, withAccount, withStatus } from '../account.state.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { OwnVote, PollTally, Vote } from './polls.records.ts';

export const pollTallies = keyspace<[bigint], PollTally>({
  number: 154,
  name: 'poll tallies',
  owner,
  absentIfDamaged: true,
  key: [id('status')],
  value: record(PollTally),
  bound: withStatus,
});

export const pollVotes = keyspace<[bigint, bigint], Vote>({
  number: 155,
  name: 'poll votes',
  owner,
  key: [id('status'), id('voter')],
  value: record(Vote),
  bound: withStatus,
});

export const pollVoteOf = keyspace<[bigint, bigint], z.infer<typeof OwnVote>>({
  number: 156,
  name: 'poll vote by status',
  owner,
  key: [id('account'), id('status')],
  value: record(OwnVote),
  bound: withAccount,
});

function isSameVote(one: { id: bigint; choices: number[] }, other: typeof one | undefined): boolean {
  return one.id === other?.id && one.choices.join() === other.choices.join();
}

export const pollRules: readonly Rule[] = [
  // Other servers keep the votes of their voters; the votes of a deleted status are removed in later turns.
  agreement(pollVotes, ([status, voter], vote, server) => {
    if (vote.destination !== undefined || server.get(statuses, [status]) === undefined) return undefined;
    return isSameVote(vote, server.get(pollVoteOf, [voter, status])) ? undefined : 'is not what the voter remembers';
  }),
  agreement(pollVoteOf, ([account, status], vote, server) => {
    if (server.get(statuses, [status]) === undefined) return undefined;
    return isSameVote(vote, server.get(pollVotes, [status, account]))
      ? undefined
      : 'is not among the votes of the poll';
  }),
  rule(statuses, (_key, { id: status, poll }, reader) =>
    (poll === undefined) === (reader.get(pollTallies, [status]) === undefined) ? undefined : 'has half a poll',
  ),
  // The totals of polls that come from other servers are those counted there.
  rule(pollTallies, ([status], { voters, votes, firstVoteId = 0n }, reader) => {
    const { uri, importedFrom } = reader.get(statuses, [status]) ?? {};
    if (uri !== undefined || importedFrom !== undefined) return undefined;
    const cast = [...reader.range(pollVotes, [status])].filter(({ value }) => value.id >= firstVoteId);
    const wrong = votes
      .map((said, option) => {
        const counted = cast.filter(({ value }) => value.choices.includes(option)).length;
        return disagreement(`votes for option ${option}`, said, counted);
      })
      .find((problem) => problem !== undefined);
    return disagreement('voters', voters ?? 0, cast.length) ?? wrong;
  }),
];

/** Votes: in which polls, and by whom. */
import { expect, test } from 'vitest';
import { visiblePoll } from '../../src/operations/polls/visible-poll.ts';
import { voteInPoll } from '../../src/operations/polls/vote-in-poll.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { Callers } from './callers.ts';

test('a vote counts in a poll that the voter may see, and in nothing else', async () => {
  const callers = new Callers();
  const [alice, bob] = [callers.people.local('alice'), callers.people.local('bob')];
  const poll = { options: ['tea', 'coffee'], expiresInSeconds: 3_600, multiple: false, hideTotals: false };
  const ask = (more: Partial<Parameters<typeof publishStatus>[1]>) =>
    publishStatus(callers.as(alice), { text: 'Tea or coffee?', spoilerText: '', ...more });
  const { statusId } = await ask({ poll });
  await voteInPoll(callers.as(bob), { pollId: statusId, choices: [1] });
  expect(visiblePoll(callers.services, statusId, undefined).tally?.votes).toEqual([0, 1]);

  const [noPoll, hidden] = [await ask({}), await ask({ poll, visibility: 'direct' })];
  for (const { statusId: pollId } of [noPoll, hidden])
    await expect(voteInPoll(callers.as(bob), { pollId, choices: [1] })).rejects.toMatchObject({ code: 'notFound' });
});

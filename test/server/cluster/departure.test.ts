/** How a node leaves at the word of the operator. */
import { expect, test } from 'vitest';
import { Departure } from '../../../src/server/cluster/departure.ts';
import type { Member } from '../../../src/server/cluster/member.ts';
import { only } from '../../support/only.ts';

const memberWith = (successor: string | undefined) =>
  only<Member>('member', { successor: () => Promise.resolve(successor) });
const aborted = ({ signal }: Departure) => new Promise((resolve) => signal.addEventListener('abort', resolve));

test.each([
  ['handOver', 75],
  ['leave', 0],
] as const)('%s ends a node that has a successor, with code %d', async (word, code) => {
  const departure = new Departure();
  const ended = aborted(departure);
  const answer = await departure.ofServing(memberWith('http://two.internal'))[word]();
  expect(answer).toMatchObject({ ok: true, lines: [expect.stringMatching(/^http:\/\/two.internal takes over\./)] });
  await ended;
  expect(departure.code).toBe(code);
});

test('one that has none serves on, and says how it is ended all the same', async () => {
  const departure = new Departure();
  for (const word of ['handOver', 'leave'] as const)
    expect(await departure.ofServing(memberWith(undefined))[word]()).toEqual({
      ok: false,
      sentence:
        'No node stands by that is up to date with the logs: nobody could take over. To end this one all the same, stop it.',
    });
  await new Promise((resolve) => setImmediate(resolve));
  expect([departure.signal.aborted, departure.code]).toEqual([false, undefined]);
});

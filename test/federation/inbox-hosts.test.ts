/** An actor's inbox may be on another host, but one host cannot direct many of them at a third one. */
import { expect, it } from 'vitest';
import { relationshipLimits } from '../../src/actors/account/relationships/limits.ts';
import { followerHostInboxes, numbersOfHosts } from '../../src/actors/partition/partition.state.ts';
import { home, InboundBed } from './inbound-bed.ts';

/** The inboxes to which what alice publishes is sent, after so many people of one host have followed her. */
async function inboxesOf(people: number, inboxOf: (number: number) => Record<string, unknown>) {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  for (let number = 0; number < people; number += 1) {
    const person = bed.person('many.example', `p${number}`, inboxOf(number));
    expect(await bed.send(person, person.activity('Follow', `${home}/users/alice`))).toBe(202);
  }
  const inboxes: string[] = [];
  for (const partition of bed.read.partitions) {
    const known = partition.get(numbersOfHosts, ['many.example']);
    const entries = known === undefined ? [] : partition.range(followerHostInboxes, [alice, known.number]);
    for (const { value } of entries) inboxes.push(value.inbox);
  }
  return inboxes;
}

const max = relationshipLimits.inboxesElsewhereMax;

it.each([
  ['inboxes of their own at their host', () => ({ endpoints: {} }), max + 5, max + 5],
  [
    'inboxes of their own elsewhere',
    (number: number) => ({ endpoints: {}, inbox: `https://victim.example/${number}` }),
    max + 5,
    max,
  ],
  [
    'one inbox elsewhere, for all',
    () => ({ endpoints: { sharedInbox: 'https://provider.example/inbox' } }),
    max + 5,
    1,
  ],
])('followers with %s', async (_which, inboxOf, people, expected) => {
  expect(await inboxesOf(people, inboxOf)).toHaveLength(expected);
});

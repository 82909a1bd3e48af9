/** Follow recommendations (specification 4.7 and 8), over partitions in memory. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { suggestionLimits } from '../../../src/actors/account/suggestions/limits.ts';
import { suggestionEndpoints } from '../../../src/gateway/rest/suggestions/suggestions.endpoints.ts';
import { dismissSuggestion } from '../../../src/operations/suggestions/dismiss-suggestion.ts';
import { Callers } from '../../operations/callers.ts';
import { newPeople } from '../../support/api-people.ts';
import type { Person } from '../../support/observer.ts';

const at = (method: 'GET' | 'DELETE', path: string) =>
  suggestionEndpoints.find((one) => one.path === path && one.methods.includes(method))!;
const first = at('GET', '/api/v1/suggestions');
const second = at('GET', '/api/v2/suggestions');
const removal = at('DELETE', '/api/v1/suggestions/:account_id');
const dayMilliseconds = 24 * 60 * 60 * 1_000;

let { people, api, alice, bob, carol } = await newPeople();
let rita: Person;

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
  rita = people.remote('rita', 'there.example');
});

const suggested = async (given = {}) =>
  (await api.ask<{ acct: string }[]>(first, alice, given)).body.map(({ acct }) => acct);
/** Somebody remote is heard of as well. */
const post = (author: Person) =>
  author.destination === undefined
    ? people.publish(author)
    : people.receive(author, `https://there.example/${people.server.clock.now()}`);
const favourite = async (author: Person) => {
  const status = await post(author);
  await people.favourite(alice, status);
  return status;
};
const reblog = async (author: Person) => {
  const status = await post(author);
  await people.reblog(alice, status);
  return status;
};
const reply = async (author: Person) => people.publish(alice, { replyTo: await post(author) });

describe('the weights', () => {
  test.each<[string, readonly Act[], string[]]>([
    [
      'of a favourite are more than those of nine replies',
      [...times(9, [reply, 'bob']), [favourite, 'carol']],
      ['carol', 'bob'],
    ],
    [
      'of eleven replies are more than that of a favourite',
      [...times(11, [reply, 'bob']), [favourite, 'carol']],
      ['bob', 'carol'],
    ],
    [
      'of a reblog are more than that of a favourite',
      [
        [favourite, 'bob'],
        [reblog, 'carol'],
      ],
      ['carol', 'bob'],
    ],
    [
      'of three favourites are more than that of a reblog',
      [...times(3, [favourite, 'bob']), [reblog, 'carol']],
      ['bob', 'carol'],
    ],
  ])('%s', async (_words, acts, expected) => {
    for (const [act, name] of acts) await act({ bob, carol }[name]);
    expect(await suggested()).toEqual(expected);
  });

  test('count only interactions that were not undone', async () => {
    const [liked, boosted, answered] = [await favourite(bob), await reblog(bob), await reply(bob)];
    for (let count = 0; count < 3; count += 1) await favourite(carol);
    expect(await suggested()).toEqual(['bob', 'carol']);
    await people.unreblog(alice, boosted);
    expect(await suggested()).toEqual(['carol', 'bob']);
    await people.unfavourite(alice, liked);
    await people.remove(answered);
    expect(await suggested()).toEqual(['carol']);
  });

  test('last ninety days', async () => {
    await favourite(bob);
    people.server.clock.advance(89 * dayMilliseconds);
    expect(await suggested()).toEqual(['bob']);
    people.server.clock.advance(2 * dayMilliseconds);
    expect(await suggested()).toEqual([]);
  });
});

type Act = readonly [act: (author: Person) => Promise<unknown>, name: 'bob' | 'carol'];

function times(count: number, act: Act): Act[] {
  return Array.from({ length: count }, () => act);
}

test('both versions say the same, the second with its reason', async () => {
  await favourite(bob);
  const { body } = await api.ask(second, alice);
  expect(body).toMatchObject([
    { source: 'past_interactions', sources: ['most_interactions'], account: { acct: 'bob' } },
  ]);
  expect(body).toHaveLength(1);
  for (const nobody of [bob, carol]) expect((await api.ask(first, nobody)).body).toEqual([]);
});

describe('nobody is suggested', () => {
  test.each<[string, () => unknown, () => unknown]>([
    ['who is followed', () => people.follow(alice, bob), () => people.unfollow(alice, bob)],
    [
      'who is muted',
      () => people.mute(alice, bob),
      () => people.server.call(Account.unmute.to(alice.id, { targetId: bob.id })),
    ],
    [
      'who is locked',
      () => people.server.call(Account.changeProfile.to(bob.id, { locked: true })),
      () => people.server.call(Account.changeProfile.to(bob.id, { locked: false })),
    ],
    [
      'who is suspended',
      () => people.server.call(Account.changeLogin.to(bob.id, { suspended: true })),
      () => people.server.call(Account.changeLogin.to(bob.id, { suspended: false })),
    ],
    [
      'who has moved',
      () => people.server.call(Account.move.to(bob.id, { targetId: rita.id, targetDestination: rita.destination })),
      () => people.server.call(Account.cancelMove.to(bob.id, {})),
    ],
    ['who was removed', () => api.ask(removal, alice, { account_id: bob.id }), () => reply(bob)],
  ])('%s, and is again when that ends', async (_who, begin, end) => {
    await favourite(bob);
    await begin();
    expect(await suggested()).toEqual([]);
    await end();
    expect(await suggested()).toEqual(['bob']);
  });

  test('of a domain that is hidden', async () => {
    await favourite(rita);
    expect(await suggested()).toEqual(['rita@there.example']);
    await people.server.call(Account.blockDomain.to(alice.id, { domain: 'there.example', followed: [] }));
    expect(await suggested()).toEqual([]);
  });

  test.each(['alice', 'bob'])('after a block by %s, at either end, also when the block is over', async (name) => {
    await favourite(bob);
    await people.favourite(bob, await people.publish(alice));
    const [one, other] = name === 'alice' ? [alice, bob] : [bob, alice];
    await people.block(one, other);
    await people.server.call(Account.unblock.to(one.id, { targetId: other.id }));
    expect([await suggested(), (await api.ask(first, bob)).body]).toEqual([[], []]);
  });

  test('with whom there was something only while they were followed', async () => {
    await people.follow(alice, bob);
    await favourite(bob);
    await people.unfollow(alice, bob);
    expect(await suggested()).toEqual([]);
  });

  test('to oneself, and removing what was never suggested is nothing', async () => {
    await favourite(alice);
    expect(await suggested()).toEqual([]);
    for (const account_id of ['1', 'word', `${bob.id}`])
      expect((await api.ask(removal, alice, { account_id })).body).toEqual({});
    const callers = new Callers();
    await dismissSuggestion(callers.as(callers.people.local('erin')), { accountId: 1n });
  });
});

test('who wrote lately comes before who counts more', async () => {
  for (let count = 0; count < 3; count += 1) await reblog(rita);
  await favourite(bob);
  expect(await suggested()).toEqual(['rita@there.example', 'bob']);
  people.server.clock.advance(31 * dayMilliseconds);
  await people.publish(bob);
  expect(await suggested()).toEqual(['bob', 'rita@there.example']);
});

test('of more accounts than are kept the one with the least weight goes, and a page has a limit', async () => {
  await reblog(bob);
  await reply(carol);
  for (let count = 0; count < suggestionLimits.perAccountMax - 1; count += 1)
    await favourite(people.local(`person_${count}`));
  const all = await suggested({ limit: 80 });
  expect([all.length, all.includes('bob'), all.includes('carol')]).toEqual([80, true, false]);
  expect(await suggested({ limit: 1 })).toEqual(['bob']);
});

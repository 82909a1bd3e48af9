/**
 * Follower and following collections for other servers: accounts that hide theirs show only totals (specification 4.2).
 */
import { expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { home, InboundBed } from './inbound-bed.ts';

it.each(['followers', 'following'] as const)('the list of %s has its members, unless they are hidden', async (list) => {
  const bed = new InboundBed();
  const [alice, bob] = [await bed.local('alice'), await bed.local('bob')];
  const ends = list === 'followers' ? ([bob, alice] as const) : ([alice, bob] as const);
  await bed.gateway.actors.call(Account.follow.to(ends[0], { targetId: ends[1], options: {} }));
  const read = async (query = '') => {
    const headers = { accept: 'application/activity+json' };
    const response = await bed.gateway.fetch(`/users/alice/${list}${query}`, { headers });
    return (await response.json()) as { totalItems: number; first?: string; orderedItems?: unknown };
  };
  const { first, totalItems } = await read();
  const page = first!.slice(first!.indexOf('?'));
  expect([totalItems, (await read(page)).orderedItems]).toEqual([1, [`${home}/users/bob`]]);
  await bed.gateway.actors.call(Account.changeProfile.to(alice, { hideCollections: true }));
  for (const query of ['', page]) {
    const hidden = await read(query);
    expect(hidden).toMatchObject({ totalItems: 1 });
    expect([hidden.first, hidden.orderedItems]).toEqual([undefined, undefined]);
  }
});

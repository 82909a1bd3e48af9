/** What a gateway thread remembers between activities: bounded, and never longer than it is true. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { profileChanged } from '../../../src/actors/account/profile/profile.events.ts';
import { statusDeleted, statusDetached, statusEdited } from '../../../src/actors/account/statuses/statuses.events.ts';
import { actorKey, DocumentCache, statusKey } from '../../../src/federation/document-cache.ts';
import { KeyFetchBudget } from '../../../src/federation/inbox/key-fetch-budget.ts';
import { RecentActivities } from '../../../src/federation/inbox/recent-activities.ts';
import { KnownAccounts } from '../../../src/federation/known-accounts.ts';
import { activityLimits } from '../../../src/federation/limits.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { home, InboundBed } from '../inbound-bed.ts';

describe('recent activities', () => {
  it('are known for one generation at least, two at most', () => {
    const generationBytes = 2 * 100;
    const recent = new RecentActivities(2 * generationBytes);
    const known = (...ids: string[]) => ids.map((id) => recent.has('bob', id));
    for (const id of ['a', 'b', 'c']) recent.add('bob', id);
    expect(known('a', 'b', 'c')).toEqual([true, true, true]);
    for (const id of ['d', 'e']) recent.add('bob', id);
    expect(known('a', 'b', 'c', 'd', 'e')).toEqual([false, false, true, true, true]);
    expect(recent.has('carol', 'e')).toBe(false);
  });

  it('are not kept under ids so long that they would fill the memory', () => {
    const recent = new RecentActivities(10_000);
    const longest = 'x'.repeat(activityLimits.recentActivityCharactersMax - 'bob '.length);
    for (const id of [longest, `${longest}x`]) recent.add('bob', id);
    expect([recent.has('bob', longest), recent.has('bob', `${longest}x`)]).toEqual([true, false]);
  });
});

describe('the budget of keys', () => {
  const { keyFetchesPerHostMin, keyFailuresPerAddressMax, keyFetchWindowMilliseconds } = activityLimits;

  it('is small for a host whose keys have not fitted, within each window', () => {
    let now = 0;
    const budget = new KeyFetchBudget(() => now);
    const take = () => budget.take('large.example', '192.0.2.1');
    for (let count = 0; count < keyFetchesPerHostMin; count += 1) expect(take()).toBe(true);
    expect([take(), budget.take('other.example', '192.0.2.1')]).toEqual([false, true]);
    now = keyFetchWindowMilliseconds;
    expect(take()).toBe(true);
  });

  it('grows with the keys that fitted, up to a bound', () => {
    const budget = new KeyFetchBudget(() => 0);
    const take = () => budget.take('large.example', '192.0.2.1');
    for (let count = 0; count < 10 * keyFetchesPerHostMin; count += 1) {
      expect(take()).toBe(true);
      budget.fitted('large.example');
    }
    let taken = 0;
    while (taken <= activityLimits.keyFetchesPerHostMax && take()) taken += 1;
    expect(taken).toBe(activityLimits.keyFetchesPerHostMax);
  });

  it('of an address counts what did not verify alone, over all hosts', () => {
    const budget = new KeyFetchBudget(() => 0);
    for (let count = 0; count < keyFailuresPerAddressMax; count += 1) {
      expect(budget.take(`${count}.example`, '192.0.2.1')).toBe(true);
      budget.failed('192.0.2.1');
    }
    expect([budget.take('one.example', '192.0.2.1'), budget.take('one.example', '192.0.2.2')]).toEqual([false, true]);
  });

  it('is one for a network of IPv6, in which a client has any address it likes', () => {
    const budget = new KeyFetchBudget(() => 0);
    for (let count = 0; count < keyFailuresPerAddressMax; count += 1)
      budget.failed(`2001:db8:0:1::${count.toString(16)}`);
    const take = (address: string) => budget.take('one.example', address);
    expect([take('2001:db8:0:1:ffff::1'), take('2001:db8:0:2::1')]).toEqual([false, true]);
  });
});

describe('known accounts', () => {
  it('are read again when they change, whatever they are called', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('Alice');
    const accounts = new KnownAccounts(bed.gateway.services);
    const names = [`${home}/users/Alice`, `${home}/@Alice`, `${home}/users/alice`];
    const suspended = () => names.map((name) => accounts.find(name)?.isSuspended);
    expect(suspended()).toEqual([false, false, false]);
    await bed.gateway.actors.call(Account.changeLogin.to(alice, { suspended: true }));
    expect(suspended()).toEqual([true, true, true]);
  });

  it('are found as soon as they are known', async () => {
    const bed = new InboundBed();
    const bob = bed.person('remote.example', 'bob');
    const accounts = new KnownAccounts(bed.gateway.services);
    expect(accounts.find(bob.uri)).toBeUndefined();
    const bobId = await bed.know(bob);
    bed.read;
    expect(accounts.find(bob.uri)).toMatchObject({
      id: bobId,
      isLocal: false,
      host: 'remote.example',
      keyId: bob.keyId,
    });
    expect(accounts.ofHandle('BOB', 'remote.example')?.id).toBe(bobId);
    expect(accounts.find(`${home}/users/nobody`)).toBeUndefined();
    expect(accounts.find(`${home}/elsewhere`)).toBeUndefined();
  });
});

describe('documents', () => {
  const facts = { id: 7n, accountId: 1n, local: true, visibility: 'public', tags: [], mentions: [], hasMedia: false };
  const batch = (event: number, body: unknown) => ({ partition: 0, commit: 1, events: [{ event, body }] });

  function counted(hub: EventHub, bytesMax = 10_000) {
    const cache = new DocumentCache(hub, bytesMax);
    let made = 0;
    const get = (key: string) => {
      cache.get(key, () => {
        made += 1;
        return { key };
      });
      return made;
    };
    return { cache, get };
  }

  it.each([
    ['an edit', statusEdited, facts],
    ['a deletion', statusDeleted, facts],
    ['a deletion of what it answered', statusDetached, { id: 7n }],
    ['an own reply', statusDeleted, { ...facts, id: 8n, inReplyToId: 7n, inReplyToAccountId: 1n }],
  ])('of statuses are made again after %s', (_name, type, body) => {
    const hub = new EventHub();
    const { get } = counted(hub);
    expect([get(statusKey(7n)), get(statusKey(7n)), get(statusKey(9n))]).toEqual([1, 1, 2]);
    hub.dispatch(batch(type.number, body), []);
    expect([get(statusKey(9n)), get(statusKey(7n))]).toEqual([2, 3]);
  });

  it('of actors are made again after a change, and all of them after a loss', () => {
    const hub = new EventHub();
    const { get, cache } = counted(hub);
    get(actorKey(1n));
    get(actorKey(2n));
    hub.dispatch(batch(profileChanged.number, { accountId: 1n }), []);
    expect([get(actorKey(2n)), get(actorKey(1n))]).toEqual([2, 3]);
    hub.dispatchLoss();
    expect(cache.size).toBe(0);
  });

  it('go when there are too many bytes, the least used first', () => {
    const one = counted(new EventHub());
    one.get('a');
    const { get, cache } = counted(new EventHub(), one.cache.bytes * 2);
    get('a');
    get('b');
    get('a');
    get('c');
    expect(cache.size).toBe(2);
    expect([get('a'), get('c'), get('b')]).toEqual([3, 3, 4]);
  });
});

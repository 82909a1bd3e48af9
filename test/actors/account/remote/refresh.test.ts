import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../../src/actors/account/account.messages.ts';
import type { Profile } from '../../../../src/actors/account/profile/profile.records.ts';
import { refreshProfile } from '../../../../src/actors/account/remote/remote.effects.ts';
import type { Person } from '../../../support/observer.ts';
import { People } from '../../../support/people.ts';

const hour = 3_600_000;
let people: People;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  alice = people.local('alice');
  bob = people.remote('bob', 'remote.example');
  people.server.clock.advance(hour);
});

const profileOf = (person: Person): Profile => people.profile(person)!;
const refresh = ({ id }: Person, ageMilliseconds = hour) =>
  people.server.call(Account.refresh.to(id, { ageMilliseconds }));
const asked = () => people.server.effects.map(({ effect, request }) => ({ effect, request }));

describe('refreshing a remote account', () => {
  const once = { effect: refreshProfile.number, request: { uri: 'https://remote.example/users/bob' } };

  test('asks its server once, however often it is wanted', async () => {
    for (let time = 0; time < 3; time += 1) await refresh(bob);
    expect(asked()).toEqual([once]);
  });

  test('is not needed while it was fetched lately', async () => {
    people.learn(bob);
    people.server.clock.advance(hour - 1);
    await refresh(bob);
    expect(asked()).toEqual([]);
    people.server.clock.advance(1);
    await refresh(bob);
    expect(asked()).toEqual([once]);
  });

  test('that failed is repeated no sooner', async () => {
    await refresh(bob);
    people.server.effects[0]!.answer({});
    people.server.settle();
    people.server.clock.advance(hour - 1);
    await refresh(bob);
    expect(asked()).toHaveLength(1);
    people.server.clock.advance(1);
    await refresh(bob);
    expect(asked()).toHaveLength(2);
    expect(people.server.problems).toEqual([]);
  });

  test('does nothing for local, suspended and unknown accounts', async () => {
    people.suspend(bob);
    for (const person of [alice, bob, { ...alice, id: alice.id + 1n }]) await refresh(person);
    expect(asked()).toEqual([]);
  });
});

describe('a remote follower whose inbox has moved', () => {
  const moved = 'https://remote.example/new/inbox';
  const move = () => {
    const { sharedInbox: _none, ...remote } = profileOf(bob).remote!;
    people.learn(bob, { remote: { ...remote, inbox: moved } });
  };

  test('is reached there from now on', async () => {
    await people.receiveFollow(bob, alice, 'https://remote.example/follows/1');
    people.takeDomainNews();
    await move();
    expect(people.takeDomainNews().map(({ news }) => news)).toEqual(['followerLost', 'followerGained']);
    people.takeDeliveries();
    await people.server.call(Account.rejectFollow.to(alice.id, { requesterId: bob.id }));
    expect(people.takeDeliveries()).toMatchObject([
      { intent: { kind: 'rejectFollow', followUri: 'https://remote.example/follows/1' }, inboxes: [moved] },
    ]);
    expect(people.server.problems).toEqual([]);
  });

  test('is answered there, if it waits for an answer', async () => {
    people.change(alice, { locked: true });
    await people.receiveFollow(bob, alice, 'https://remote.example/follows/1');
    await move();
    await people.server.call(Account.authorizeFollow.to(alice.id, { requesterId: bob.id }));
    expect(people.takeDeliveries()).toMatchObject([{ intent: { kind: 'acceptFollow' }, inboxes: [moved] }]);
  });

  test('to another domain only is counted there once it asks again, and no more where it was', async () => {
    await people.receiveFollow(bob, alice, 'https://remote.example/follows/1');
    people.learn(bob, { domain: 'renamed.example' });
    people.takeDomainNews();
    await people.receiveFollow(bob, alice, 'https://remote.example/follows/2');
    expect(people.takeDomainNews().map(({ host, news }) => [host, news])).toEqual([
      ['remote.example', 'followerLost'],
      ['renamed.example', 'followerGained'],
    ]);
    people.expectSound();
    await people.unfollow(bob, alice);
    expect(people.takeDomainNews().map(({ host, news }) => [host, news])).toEqual([
      ['renamed.example', 'followerLost'],
    ]);
    people.expectSound();
  });

  test('is no news for its domain while the inbox is the same', async () => {
    await people.receiveFollow(bob, alice, 'https://remote.example/follows/1');
    people.takeDomainNews();
    people.learn(bob, { displayName: 'Bob' });
    expect(people.takeDomainNews()).toEqual([]);
  });
});

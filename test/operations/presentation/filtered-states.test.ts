/** Filters match what a status says, whatever becomes of its author meanwhile. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { gatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { EventBatch } from '../../../src/runtime/events/event.ts';
import { People } from '../../support/people.ts';
import { testServices } from '../../support/services.ts';

test('a status read while its author was suspended is filtered once the author is back', async () => {
  const people = new People();
  const [alice, bob] = [people.local('alice'), people.local('bob')];
  const post = await people.publish(alice, { text: 'cats' });
  const nothing = { elsewhere: new Map(), home: { ids: new BigUint64Array(), complete: true } };
  const { presenter, answers, events } = gatewayServices(testServices(people.server, nothing));
  const underWay: EventBatch[] = [];
  people.server.watch((batch) => void underWay.push(batch));
  const eventsArrive = () => {
    for (const batch of underWay.splice(0)) events.dispatch(batch, []);
  };
  const filtered = () => {
    const page = answers.list(presenter.page(BigUint64Array.of(post.id), bob.id, 'home'));
    return (JSON.parse(page.toString()) as { filtered: unknown[] }[]).map((status) => status.filtered.length);
  };
  expect(filtered()).toEqual([0]);
  const changes = { title: 'Animals', contexts: ['home' as const], action: 'warn' as const, expiresInSeconds: null };
  people.say(Account.changeFilter.to(bob.id, { changes, keywords: [{ keyword: 'cats' }] }));
  eventsArrive();
  people.say(Account.changeLogin.to(alice.id, { suspended: true }));
  // The gateway has not heard of it.
  expect(filtered()).toEqual([1]);
  people.say(Account.changeLogin.to(alice.id, { suspended: false }));
  eventsArrive();
  expect(filtered()).toEqual([1]);
});

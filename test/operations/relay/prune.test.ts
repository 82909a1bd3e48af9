/** Which subscribers of the relay `prune` removes. */
import { expect, test } from 'vitest';
import { Relay, relayKey } from '../../../src/actors/relay/relay.messages.ts';
import { findSubscription } from '../../../src/actors/relay/relay.queries.ts';
import { operator } from '../../../src/operations/caller.ts';
import { pruneSubscribers } from '../../../src/operations/relay/subscribers.ts';
import { Callers } from '../callers.ts';

const day = 24 * 60 * 60 * 1_000;

test('those that have failed for so many days, and nobody about whom staff have decided', async () => {
  const callers = new Callers();
  const { services } = callers;
  Object.assign(services, { options: { ...services.options, relay: 'only' } });
  const context = { caller: operator, services };
  const { server } = callers.people;
  const follow = async (host: string, failingSince: number | undefined) => {
    const [actor, inbox] = [`https://${host}/actor`, `https://${host}/inbox`];
    const follower = { form: 'public' as const, actor, inbox, postsInbox: inbox, follow: '{}' };
    await server.call(Relay.follow.to(relayKey, { host, follower, mode: 'open' }));
    if (failingSince === undefined) return;
    const { number } = findSubscription(server.read, host)!;
    const lane = { host: number, cursor: 0, ahead: [], failures: 9, failingSince };
    await server.call(Relay.progressed.to(relayKey, { reader: 0, readers: 1, lanes: [lane], floor: 0 }));
  };
  const now = services.now();
  await follow('well.example', undefined);
  await follow('lately.example', now - 6 * day);
  await follow('gone.example', now - 8 * day);
  await follow('refused.example', now - 8 * day);
  await server.call(Relay.reject.to(relayKey, { host: 'refused.example' }));
  expect(await pruneSubscribers(context, { days: 7, isDryRun: true })).toEqual(['gone.example']);
  expect(findSubscription(server.read, 'gone.example')).toBeDefined();
  expect(await pruneSubscribers(context, { days: 7, isDryRun: false })).toEqual(['gone.example']);
  expect(await pruneSubscribers(context, { days: 7, isDryRun: false })).toEqual([]);
  const states = ['well', 'lately', 'gone', 'refused'].map(
    (name) => findSubscription(server.read, `${name}.example`)?.state,
  );
  expect(states).toEqual(['active', 'active', undefined, 'refused']);
});

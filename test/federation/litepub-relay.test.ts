/** Relays in the form of LitePub: their actor is followed, and follows back. */
import { expect, test } from 'vitest';
import { allJoinedRelays } from '../../src/actors/relay/joined/joined.queries.ts';
import { operator } from '../../src/operations/caller.ts';
import { joinRelay, leaveRelay } from '../../src/operations/relay/joined-relays.ts';
import { until } from '../support/until.ts';
import { home, InboundBed } from './inbound-bed.ts';

test('its actor is found, followed, and may follow back; what it announces is fetched', async () => {
  const bed = new InboundBed();
  const context = { caller: operator, services: bed.gateway.services };
  const relay = bed.person('relay.example', 'relay', { type: 'Application', inbox: 'https://relay.example/inbox' });
  const joined = await joinRelay(context, { address: relay.uri });
  expect(joined).toMatchObject({
    form: 'actor',
    inbox: 'https://relay.example/inbox',
    actor: relay.uri,
    state: 'pending',
  });
  const follow = bed.sent().find(({ type }) => type === 'Follow')!;
  expect(follow).toMatchObject({ actor: `${home}/actor`, object: relay.uri });

  // Pleroma's relays answer with the whole Follow, and follow the server's actor.
  await bed.send(relay, relay.activity('Accept', follow));
  expect(allJoinedRelays(bed.read)).toMatchObject([{ state: 'accepted' }]);
  const back = relay.activity('Follow', `${home}/actor`);
  await bed.send(relay, back);
  const accepted = bed.sent().find(({ type }) => type === 'Accept');
  expect(accepted).toMatchObject({
    actor: `${home}/actor`,
    to: [relay.uri],
    object: { id: back.id, type: 'Follow', actor: relay.uri, object: `${home}/actor` },
  });

  const carol = bed.person('third.example', 'carol');
  const note = carol.note('announced');
  bed.web.set(String(note.id), note);
  await bed.send(relay, relay.activity('Announce', note.id));
  await until(() => bed.stored(note.id));

  await leaveRelay(context, { relay: 'relay.example' });
  expect(bed.sent().find(({ type }) => type === 'Undo')).toMatchObject({
    object: { id: follow.id, object: relay.uri },
  });
});

test('anybody else who follows the actor of the server is refused', async () => {
  const bed = new InboundBed();
  const bob = bed.person('remote.example', 'bob');
  await bed.send(bob, bob.activity('Follow', `${home}/actor`));
  expect(bed.sent().map(({ type }) => type)).toEqual(['Reject']);
});

/** Moves in the forms of other software, and what none of them may leave behind. */
import { describe, expect, it } from 'vitest';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { entryCounts } from '../support/entry-counts.ts';
import { InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';

type Json = Record<string, unknown>;
type Form = (from: RemotePerson, to: string) => Json;

/** What the software writes besides `type`, `actor`, `object` and `target`. */
const forms: Readonly<Record<string, Form>> = {
  Mastodon: (from) => ({ id: `${from.uri}#moves/1` }),
  Pleroma: (from) => ({ to: [`${from.uri}/followers`], id: `https://${from.host}/activities/1` }),
  Akkoma: (from) => ({ to: [`${from.uri}/followers`], cc: [], published: '2025-01-01T11:00:00Z' }),
  'Misskey and Sharkey': (from, to) => ({
    id: `https://${from.host}/moves/${from.username}/${encodeURIComponent(to)}`,
  }),
  GoToSocial: (from) => ({ to: `${from.uri}/followers`, cc: publicAudience, id: `${from.uri}/moves/01J` }),
  'Hubzilla, with documents in the place of ids': (from, to) => ({
    object: from.document,
    target: { id: to, type: 'Person' },
    to: [publicAudience],
  }),
};

async function scene() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.follow(alice, bob);
  const next = bed.person('new.example', 'bob', { alsoKnownAs: [bob.uri] });
  const state = () => [
    findRelationship(bed.read, alice, bobId, bed.now).follow === undefined,
    findProfile(bed.read, bobId)?.movedTo,
  ];
  return { bed, bob, next, state };
}

describe('a Move of', () => {
  it.each(Object.entries(forms))('%s leads followers along', async (_software, form) => {
    const { bed, bob, next, state } = await scene();
    const move = bob.activity('Move', bob.uri, { target: next.uri, ...form(bob, next.uri) });
    expect(await bed.send(bob, move)).toBe(202);
    expect(state()).toEqual([true, bed.accountOf(next.uri)]);
  });

  it.each(Object.entries(forms))('%s that is broken leaves nothing behind', async (_software, form) => {
    const { bed, bob, next, state } = await scene();
    const whole = bob.activity('Move', bob.uri, { target: next.uri, ...form(bob, next.uri) });
    const before = [state(), entryCounts(bed.gateway.actors)];
    for (const name of ['object', 'target'])
      for (const value of [null, true, 7, '', 'x', [], [[]], {}, { type: 'Person' }, 'https://other.example/users/x'])
        expect(await bed.send(bob, { ...whole, id: `${bob.uri}#${name}`, [name]: value })).toBeLessThan(500);
    for (const actor of [null, 7, {}, 'https://other.example/users/x'])
      expect(await bed.send(bob, { ...whole, actor })).toBeLessThan(500);
    expect([state(), entryCounts(bed.gateway.actors)]).toEqual(before);
  });
});

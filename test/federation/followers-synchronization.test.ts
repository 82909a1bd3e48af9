/** Two servers that disagree about who follows whom find out, and agree (FEP-8fcf). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Visibility } from '../../src/actors/account/account.records.ts';
import { findRelationship } from '../../src/actors/account/relationship-views.queries.ts';
import { FollowersDigests } from '../../src/federation/delivery/followers-digests.ts';
import {
  followersDigest,
  readSynchronization,
  writeSynchronization,
} from '../../src/federation/documents/followers-synchronization.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import type { Id } from '../../src/runtime/ids.ts';
import { home, type RemotePerson } from './inbound-bed.ts';
import { signedGetHeaders } from './signed-headers.ts';
import { soundBed } from './sound-bed.ts';

const nobody = '0'.repeat(64);
const uriOf = (name: string) => `${home}/users/${name}`;

const digestOf = (...uris: string[]) => followersDigest(uris);

describe('the header', () => {
  // The vector of FEP-8fcf.
  it('has the digest of its proposal', () => {
    const uris = ['https://testing.example.org/users/1', 'https://testing.example.org/users/2'];
    expect(digestOf(...uris)).toBe('c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f');
    expect(digestOf(...uris.toReversed())).toBe(digestOf(...uris));
    expect([digestOf(), digestOf(uris[0]!, uris[0]!)]).toEqual([nobody, nobody]);
    expect(digestOf(uris[0]!)).toBe(createHash('sha256').update(uris[0]!).digest('hex'));
  });

  const sound = { collectionId: 'https://a.example/followers', url: 'https://a.example/sync', digest: digestOf('x') };

  it('is read as it is written, and with a digest in capitals', () => {
    expect(readSynchronization(writeSynchronization(sound))).toEqual(sound);
    expect(readSynchronization(writeSynchronization(sound).replace(sound.digest, sound.digest.toUpperCase()))).toEqual(
      sound,
    );
  });

  it.each([
    ['nothing', ''],
    ['no digest', 'collectionId="a", url="b"'],
    ['a digest of another length', 'collectionId="a", url="b", digest="abc"'],
    ['no address', `collectionId="a", digest="${nobody}"`],
    ['a parameter twice', `url="a", ${writeSynchronization(sound)}`],
    ['other text', `${writeSynchronization(sound)}; more`],
  ])('with %s is none', (_what, header) => {
    expect(readSynchronization(header)).toBeUndefined();
  });
});

/** Alice and Carol are here; Bob and Dan follow Alice from one server, Eve from another. */
async function followedAlice() {
  const bed = soundBed();
  const alice = await bed.local('alice');
  const people = { bob: 'remote.example', dan: 'remote.example', eve: 'other.example' };
  const [bob, dan, eve] = Object.entries(people).map(([name, host]) => bed.person(host, name)) as [
    RemotePerson,
    RemotePerson,
    RemotePerson,
  ];
  for (const person of [bob, dan, eve]) await bed.send(person, person.activity('Follow', uriOf('alice')));
  return { bed, alice, bob, dan, eve };
}

describe('who follows a local account', () => {
  const path = '/users/alice/followers_synchronization';

  it.each([
    ['a server of followers', 'remote.example', ['bob', 'dan']],
    ['a server without followers', 'third.example', []],
  ])('is shown to %s, to the extent that they are its own', async (_what, host, names) => {
    const { bed } = await followedAlice();
    const asking = bed.person(host, 'server', { type: 'Application' });
    const response = await bed.gateway.fetch(path, { headers: signedGetHeaders(asking, path, bed.now) });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const { type, orderedItems } = (await response.json()) as { type: string; orderedItems: string[] };
    expect([type, orderedItems.sort()]).toEqual([
      'OrderedCollection',
      names.map((name) => `https://${host}/users/${name}`),
    ]);
  });

  it('is not shown to others, and to nobody of whom there is no account', async () => {
    const { bed, bob } = await followedAlice();
    expect((await bed.gateway.fetch(path)).status).toBe(401);
    const unknown = path.replace('alice', 'nobody');
    const headers = signedGetHeaders(bob, unknown, bed.now);
    expect((await bed.gateway.fetch(unknown, { headers })).status).toBe(404);
  });

  it('goes as a digest with what is for followers only', async () => {
    const { bed, alice, bob, dan, eve } = await followedAlice();
    const { addresses, snapshots } = bed.gateway.services;
    const headersOf = async (visibility: Visibility, inbox: string) => {
      const statusId = await bed.publish(alice, 'hello', { visibility });
      const intent = { kind: 'create', actorId: alice, activityId: 1n, statusId } as const;
      const { activity } = translateIntent(intent, snapshots, addresses)!;
      return new FollowersDigests({ addresses, snapshots }).headersFor(intent, activity!)?.(new URL(inbox));
    };
    const said = async (inbox: string) => {
      const header = (await headersOf('private', inbox))?.['collection-synchronization'];
      return header === undefined ? undefined : readSynchronization(header);
    };
    const addressed = { collectionId: `${uriOf('alice')}/followers`, url: `${home}${path}` };
    expect(await said('https://remote.example/inbox')).toEqual({ ...addressed, digest: digestOf(bob.uri, dan.uri) });
    expect(await said('https://other.example/inbox')).toEqual({ ...addressed, digest: digestOf(eve.uri) });
    expect(await said('https://third.example/inbox')).toBeUndefined();
    for (const visibility of ['public', 'unlisted', 'direct'] as const)
      expect(await headersOf(visibility, 'https://remote.example/inbox')).toBeUndefined();
  });
});

/** Alice and Carol follow Bob, who is elsewhere; Dora does not. His server says who follows him. */
async function followedBob() {
  const bed = soundBed();
  const ids: Record<string, Id> = {};
  for (const name of ['alice', 'carol', 'dora']) ids[name] = await bed.local(name);
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.know(bob);
  for (const name of ['alice', 'carol']) {
    await bed.follow(ids[name]!, bob);
    await bed.gateway.actors.call(Account.authorizeFollow.to(bobId, { requesterId: ids[name]! }));
  }
  const url = `${bob.uri}/followers_synchronization`;
  let posts = 0;
  const post = (digest: string, more: { url?: string; collectionId?: string; unsigned?: boolean } = {}) => {
    posts += 1;
    const header = writeSynchronization({ collectionId: `${bob.uri}/followers`, url, digest, ...more });
    const headers = { 'collection-synchronization': header };
    const note = bob.note(`${posts}`, { to: [`${bob.uri}/followers`], cc: [] });
    return bed.send(bob, bob.create(note), more.unsigned === true ? { headers } : { signed: headers });
  };
  const serve = (items: unknown, more: object = {}) =>
    bed.web.set(url, { id: url, type: 'OrderedCollection', orderedItems: items, ...more });
  const follows = () => {
    const of = (name: string) => findRelationship(bed.read, ids[name]!, bobId, bed.now);
    return Object.keys(ids).filter((name) => of(name).follow?.state === 'accepted');
  };
  const undone = () => bed.sent().filter(({ type }) => type === 'Undo');
  return { bed, ids, bob, bobId, url, post, serve, follows, undone };
}

describe('what another server says about its followers', () => {
  it('is not asked for while both agree', async () => {
    const { bed, url, post, follows } = await followedBob();
    for (let count = 0; count < 2; count += 1) expect(await post(digestOf(uriOf('alice'), uriOf('carol')))).toBe(202);
    expect([bed.asked.includes(url), follows()]).toEqual([false, ['alice', 'carol']]);
  });

  it('ends follows that it does not know, and is told of those that are none', async () => {
    const { bed, url, post, serve, follows, undone } = await followedBob();
    serve([uriOf('alice'), uriOf('dora')]);
    expect(await post(digestOf(uriOf('alice'), uriOf('dora')))).toBe(202);
    expect(follows()).toEqual(['alice']);
    expect(undone()).toMatchObject([{ actor: uriOf('dora'), object: { type: 'Follow', actor: uriOf('dora') } }]);
    expect(bed.asked.filter((asked) => asked === url)).toHaveLength(1);
  });

  it('accepts a follow of which the answer was lost', async () => {
    const { bed, ids, bobId, post, serve, follows, undone } = await followedBob();
    await bed.gateway.actors.call(Account.follow.to(ids.dora!, { targetId: bobId, options: {} }));
    await bed.gateway.actors.call(Account.unauthorizeFollow.to(bobId, { requesterId: ids.dora! }));
    expect(follows()).toEqual(['alice', 'carol']);
    const all = ['alice', 'carol', 'dora'].map(uriOf);
    serve(all);
    await post(digestOf(...all));
    expect([follows(), undone()]).toEqual([['alice', 'carol', 'dora'], []]);
  });

  it('leaves a follow alone that it has not answered so far', async () => {
    const { bed, ids, bobId, url, post, follows } = await followedBob();
    await bed.gateway.actors.call(Account.follow.to(ids.dora!, { targetId: bobId, options: {} }));
    await post(digestOf(uriOf('alice'), uriOf('carol')));
    expect([bed.asked.includes(url), follows()]).toEqual([false, ['alice', 'carol', 'dora']]);
  });

  it('is asked for once an hour', async () => {
    const { bed, url, post } = await followedBob();
    for (const minutes of [0, 30, 31]) {
      bed.gateway.actors.clock.advance(minutes * 60_000);
      await post(nobody);
    }
    expect(bed.asked.filter((asked) => asked === url)).toHaveLength(2);
  });

  it.each<[string, unknown, object]>([
    ['names somebody of another server', [uriOf('alice'), 'https://third.example/users/x'], {}],
    ['has a page that is missing', [uriOf('alice')], { next: 'https://remote.example/missing' }],
    ['has a page elsewhere', [uriOf('alice')], { next: 'https://third.example/page' }],
    ['is nothing that can be read', 7, { next: 7 }],
  ])('changes nothing where the list %s', async (_what, items, more) => {
    const { post, serve, follows, undone } = await followedBob();
    serve(items, more);
    await post(digestOf(uriOf('alice')));
    expect([follows(), undone()]).toEqual([['alice', 'carol'], []]);
  });

  it.each([
    ['without a signature over it', { unsigned: true }],
    ['about another collection', { collectionId: 'https://remote.example/users/dan/followers' }],
    ['at another server', { url: 'https://third.example/users/bob/followers_synchronization' }],
  ])('is not asked for %s', async (_what, more) => {
    const { bed, post, serve, follows } = await followedBob();
    serve([]);
    expect(await post(nobody, more)).toBe(202);
    expect(bed.asked.filter((asked) => asked.endsWith('synchronization'))).toEqual([]);
    expect(follows()).toEqual(['alice', 'carol']);
  });

  it('is compared in slices', async () => {
    const { bed, ids, bobId, serve, post, follows, undone } = await followedBob();
    const names = Array.from({ length: 230 }, (_, number) => `n${number}`);
    for (const name of names) {
      ids[name] = await bed.local(name);
      if (Number(name.slice(1)) % 2 === 0) continue;
      await bed.gateway.actors.call(Account.follow.to(ids[name]!, { targetId: bobId, options: {} }));
      await bed.gateway.actors.call(Account.authorizeFollow.to(bobId, { requesterId: ids[name]! }));
    }
    const listed = ['alice', ...names.filter((name) => Number(name.slice(1)) % 3 === 0)];
    serve(listed.map(uriOf));
    await post(digestOf(...listed.map(uriOf)));
    const isListed = (name: string) => listed.includes(name);
    const wanted = ['alice', ...names.filter((name) => Number(name.slice(1)) % 2 === 1 && isListed(name))];
    expect(follows().sort()).toEqual(wanted.sort());
    expect(undone()).toHaveLength(names.filter((name) => Number(name.slice(1)) % 6 === 0).length);
  });
});

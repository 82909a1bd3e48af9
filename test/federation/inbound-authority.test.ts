import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { ownProfile } from '../../src/actors/account/profile/profile.turn.ts';
import { storeProfile } from '../../src/actors/account/profile/store-profile.ts';
import { findProfile, hasLocalFollowers } from '../../src/actors/account/remote/federation.queries.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { aliceFollowsBob, home, InboundBed, publicAudience, RemotePerson } from './inbound-bed.ts';
import { signedHeaders } from './signed-headers.ts';

const aliceUri = `${home}/users/alice`;

describe('a request that is not proved', () => {
  const rejected: [string, (headers: Record<string, string>) => Record<string, string>][] = [
    ['without a signature', ({ date = '', digest = '' }) => ({ date, digest })],
    [
      'with a broken signature',
      (headers) => ({ ...headers, signature: headers.signature!.replace(/signature="..../, 'signature="AAAA') }),
    ],
    [
      'with the digest of another body',
      (headers) => ({ ...headers, digest: 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }),
    ],
    ['with an old date', (headers) => ({ ...headers, date: new Date(Date.UTC(2024, 0, 1)).toUTCString() })],
    [
      'without its digest signed',
      (headers) => ({ ...headers, signature: headers.signature!.replace(' digest"', '"') }),
    ],
  ];

  it.each(rejected)('%s is refused, and nothing is stored', async (_name, change) => {
    const { bed, bob } = await aliceFollowsBob();
    const body = JSON.stringify(bob.create(bob.note('hello')));
    expect(await bed.post('/inbox', body, change(signedHeaders(bob, '/inbox', body, bed.now)))).toBe(401);
    expect(bed.stored(bob.note('hello').id)).toBeUndefined();
  });

  it('with another body than the signed one is refused', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const body = JSON.stringify(bob.create(bob.note('forged')));
    expect(await bed.send(bob, bob.create(bob.note('hello')), { body })).toBe(401);
    expect(bed.stored(bob.note('forged').id)).toBeUndefined();
  });

  it('for another server is refused', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const body = JSON.stringify(bob.create(bob.note('hello')));
    const headers = signedHeaders(bob, '/inbox', body, bed.now);
    const elsewhere = { ...headers, signature: headers.signature!.replace('host ', '') };
    expect(await bed.post('/inbox', body, elsewhere)).toBe(401);
  });

  it('with a key that cannot be had is refused, and asked for once', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const ghost = new RemotePerson('remote.example', 'ghost');
    bed.web.set(ghost.uri, 'gone');
    expect(await bed.send(ghost, ghost.activity('Follow', aliceUri))).toBe(401);
    expect(bed.asked).toEqual([ghost.uri]);
    expect(bed.accountOf(ghost.uri)).toBeUndefined();
  });

  it('with a key that is out of reach is to be repeated', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = new RemotePerson('remote.example', 'bob');
    bed.web.set(bob.uri, 'unreachable');
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(503);
  });
});

describe('what is malformed', () => {
  it.each([
    ['no JSON', '{"type":'],
    ['no object', '[]'],
    ['a text', '"Create"'],
    ['nested too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
    ['of more entries than any activity has', `{"a":[${'{},'.repeat(activityLimits.jsonEntriesMax)}{}]}`],
  ])('as %s is refused', async (_name, body) => {
    const { bed, bob } = await aliceFollowsBob();
    expect(await bed.post('/inbox', body, signedHeaders(bob, '/inbox', body, bed.now))).toBe(400);
  });

  it.each([
    ['no type', { type: undefined }],
    ['no actor', { actor: undefined }],
    ['no object', { object: undefined }],
    ['an id that is no address', { id: 'tag:x' }],
  ])('with %s is refused', async (_name, change) => {
    const { bed, bob } = await aliceFollowsBob();
    expect(await bed.send(bob, { ...bob.create(bob.note('hello')), ...change })).toBe(400);
  });

  it('or too large, or of another type, is refused', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const create = bob.create(bob.note('hello', { content: 'x'.repeat(activityLimits.bodyBytesMax) }));
    expect(await bed.send(bob, create)).toBe(413);
    expect(await bed.send(bob, create, { headers: { 'content-type': 'text/html' } })).not.toBe(202);
    const small = bob.create(bob.note('hello'));
    expect(await bed.send(bob, small, { headers: { 'content-type': 'text/html' } })).toBe(415);
    const profiled = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
    expect(await bed.send(bob, small, { headers: { 'content-type': profiled } })).toBe(202);
  });
});

describe('authority', () => {
  it('of another actor is not that of the signer', async () => {
    const { bed, alice, bob } = await aliceFollowsBob();
    const mallory = bed.person('remote.example', 'mallory');
    await bed.know(mallory);
    const forged = bob.create(bob.note('forged'));
    // Well signed, so it may be inbox forwarding, which is answered as if it were taken.
    expect(await bed.send(mallory, forged)).toBe(202);
    expect(bed.stored(bob.note('forged').id)).toBeUndefined();
    expect(await bed.send(mallory, bob.activity('Undo', bob.activity('Follow', aliceUri)))).toBe(202);
    expect(hasLocalFollowers(bed.read, bed.accountOf(bob.uri)!)).toBe(true);
    expect(alice).toBeDefined();
  });

  it.each([
    ['an id of another host', { id: 'https://victim.example/activities/1' }, {}],
    ['an object of another host', {}, { id: 'https://victim.example/notes/1' }],
    ['an object of another author', {}, { attributedTo: 'https://remote.example/users/carol' }],
    ['an author of another host', {}, { attributedTo: 'https://victim.example/users/carol' }],
    ['a host that only looks like its own', {}, { id: 'https://remote.example@victim.example/notes/1' }],
  ])('does not reach over %s', async (_name, activity, note) => {
    const { bed, bob } = await aliceFollowsBob();
    const create = { ...bob.create(bob.note('forged', note)), ...activity };
    // What has no author on its own host is no status at all, and nothing to refuse.
    expect([202, 403]).toContain(await bed.send(bob, create));
    expect(bed.stored(bob.note('forged', note).id)).toBeUndefined();
  });

  it.each(['Update', 'Delete'])('does not let an %s touch what another host published', async (type) => {
    const { bed, alice, bob } = await aliceFollowsBob();
    const carol = bed.person('victim.example', 'carol');
    await bed.follow(alice, carol);
    const note = carol.note('original');
    await bed.send(carol, carol.create(note));
    const object = { ...note, content: '<p>forged</p>', updated: '2025-01-01T11:45:00Z' };
    expect(await bed.send(bob, bob.activity(type, object))).toBe(403);
    expect(await bed.send(bob, bob.activity(type, note.id))).toBe(403);
    expect(bed.stored(note.id)?.content).toBe('<p>original</p>');
  });

  it('does not let an actor change another profile', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const carol = bed.person('remote.example', 'carol');
    const carolId = await bed.know(carol);
    expect(await bed.send(bob, bob.activity('Update', { ...carol.document, name: 'Forged' }))).toBe(403);
    expect(findProfile(bed.read, carolId)?.displayName).toBe('carol');
  });

  it('of a local name is nobody else’s', async () => {
    const { bed } = await aliceFollowsBob();
    const mallory = bed.person('evil.example', 'mallory');
    mallory.keyId = `${aliceUri}#main-key`;
    const follow = { ...mallory.activity('Follow', aliceUri), actor: aliceUri, id: `${home}/activities/1` };
    expect(await bed.send(mallory, follow)).toBe(401);
  });

  it('of a suspended account counts for nothing', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const bobId = bed.accountOf(bob.uri)!;
    bed.gateway.actors.turn(Account.actor, bobId, (turn) => {
      const before = ownProfile(turn);
      storeProfile(turn, { ...before, suspendedAt: 1 }, before);
    });
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeUndefined();
  });
});

describe('a handle', () => {
  it('is confirmed by its own server', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    // Another actor of the host claims the name.
    const mallory = new RemotePerson('remote.example', 'mallory');
    bed.web.set(mallory.uri, { ...mallory.document, preferredUsername: 'bob' });
    expect(await bed.send(mallory, mallory.activity('Follow', aliceUri))).toBe(401);
    expect(bed.accountOf(mallory.uri)).toBeUndefined();
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
  });

  it('is taken from the actor where the server has no WebFinger', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = new RemotePerson('bare.example', 'bob');
    bed.web.set(bob.uri, bob.document);
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
    expect(findProfile(bed.read, bed.accountOf(bob.uri)!)).toMatchObject({ username: 'bob', domain: 'bare.example' });
  });

  it('may be on another host that confirms it (FEP-2c59)', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = new RemotePerson('social.company.example', 'bob');
    bed.web.set(bob.uri, { ...bob.document, webfinger: 'bob@company.example' });
    bed.web.set('https://company.example/.well-known/webfinger?resource=acct%3Abob%40company.example', {
      subject: 'acct:bob@company.example',
      links: [{ rel: 'self', type: 'application/activity+json', href: bob.uri }],
    });
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
    expect(findProfile(bed.read, bed.accountOf(bob.uri)!)?.domain).toBe('company.example');
  });

  it('on another host that says otherwise is refused', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const mallory = new RemotePerson('evil.example', 'mallory');
    bed.web.set(mallory.uri, { ...mallory.document, webfinger: 'bob@company.example' });
    expect(await bed.send(mallory, mallory.activity('Follow', aliceUri))).toBe(401);
  });
});

it('a request with two hosts is refused', async () => {
  const { bed, bob } = await aliceFollowsBob();
  const body = JSON.stringify(bob.create(bob.note('hello')));
  const headers = { ...signedHeaders(bob, '/inbox', body, bed.now), 'content-type': 'application/activity+json' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const hosts = ['Host: social.example', 'Host: evil.example'];
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const request = ['POST /inbox HTTP/1.1', ...hosts, ...lines, length, 'Connection: close', '', body].join('\r\n');
  expect(await bed.gateway.sendRaw(request)).toMatch(/^HTTP\/1\.1 400 /);
  expect(bed.stored(bob.note('hello').id)).toBeUndefined();
});

describe('the inbox of an account', () => {
  it('exists for accounts that exist', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const follow = bob.activity('Follow', aliceUri);
    expect(await bed.send(bob, follow, { inbox: '/users/nobody/inbox' })).toBe(404);
    expect(await bed.send(bob, follow, { inbox: '/actor/inbox' })).toBe(202);
  });
});

it('takes hostile HTML apart before anything is stored', async () => {
  const { bed, bob } = await aliceFollowsBob();
  const content = '<p>Hi<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a></p>';
  const note = bob.note('hello', {
    content,
    summary: '<script>alert(1)</script>CW &amp; more',
    to: [publicAudience],
    tag: [{ type: 'Emoji', name: ':x:', icon: { url: 'javascript:alert(1)' } }],
    attachment: [{ type: 'Document', mediaType: 'image/png', url: 'javascript:alert(1)' }],
    url: 'javascript:alert(1)',
  });
  await bed.send(bob, bob.create(note));
  const status = bed.stored(note.id)!;
  expect(status.content).not.toMatch(/script|onerror|<img/);
  expect(status).toMatchObject({ spoilerText: 'alert(1)CW & more', emojis: [], attachments: [], url: undefined });
});

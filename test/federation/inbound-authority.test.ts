import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { profiles } from '../../src/actors/account/profile/profile.state.ts';
import { findProfile, hasLocalFollowers } from '../../src/actors/account/remote/federation.queries.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { home, InboundBed, publicAudience, RemotePerson, signedGetHeaders, signedHeaders } from './inbound-bed.ts';

const aliceUri = `${home}/users/alice`;

async function people() {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  await bed.follow(alice, bob);
  return { bed, alice, bob };
}

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
    const { bed, bob } = await people();
    const body = JSON.stringify(bob.create(bob.note('hello')));
    expect(await bed.post('/inbox', body, change(signedHeaders(bob, '/inbox', body, bed.now)))).toBe(401);
    expect(bed.stored(bob.note('hello').id)).toBeUndefined();
  });

  it('with another body than the signed one is refused', async () => {
    const { bed, bob } = await people();
    const body = JSON.stringify(bob.create(bob.note('forged')));
    expect(await bed.send(bob, bob.create(bob.note('hello')), { body })).toBe(401);
    expect(bed.stored(bob.note('forged').id)).toBeUndefined();
  });

  it('for another server is refused', async () => {
    const { bed, bob } = await people();
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
  ])('as %s is refused', async (_name, body) => {
    const { bed, bob } = await people();
    expect(await bed.post('/inbox', body, signedHeaders(bob, '/inbox', body, bed.now))).toBe(400);
  });

  it.each([
    ['no type', { type: undefined }],
    ['no actor', { actor: undefined }],
    ['no object', { object: undefined }],
    ['an id that is no address', { id: 'tag:x' }],
  ])('with %s is refused', async (_name, change) => {
    const { bed, bob } = await people();
    expect(await bed.send(bob, { ...bob.create(bob.note('hello')), ...change })).toBe(400);
  });

  it('or too large, or of another type, is refused', async () => {
    const { bed, bob } = await people();
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
    const { bed, alice, bob } = await people();
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
    const { bed, bob } = await people();
    const create = { ...bob.create(bob.note('forged', note)), ...activity };
    // What has no author on its own host is no status at all, and nothing to refuse.
    expect([202, 403]).toContain(await bed.send(bob, create));
    expect(bed.stored(bob.note('forged', note).id)).toBeUndefined();
  });

  it.each(['Update', 'Delete'])('does not let an %s touch what another host published', async (type) => {
    const { bed, alice, bob } = await people();
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
    const { bed, bob } = await people();
    const carol = bed.person('remote.example', 'carol');
    const carolId = await bed.know(carol);
    expect(await bed.send(bob, bob.activity('Update', { ...carol.document, name: 'Forged' }))).toBe(403);
    expect(findProfile(bed.read, carolId)?.displayName).toBe('carol');
  });

  it('of a local name is nobody else’s', async () => {
    const { bed } = await people();
    const mallory = bed.person('evil.example', 'mallory');
    mallory.keyId = `${aliceUri}#main-key`;
    const follow = { ...mallory.activity('Follow', aliceUri), actor: aliceUri, id: `${home}/activities/1` };
    expect(await bed.send(mallory, follow)).toBe(401);
  });

  it('of a suspended account counts for nothing', async () => {
    const { bed, bob } = await people();
    const bobId = bed.accountOf(bob.uri)!;
    bed.gateway.actors.turn(Account.actor, bobId, (turn) => {
      turn.put(profiles, [bobId], { ...turn.get(profiles, [bobId])!, suspendedAt: 1 });
    });
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeUndefined();
  });
});

describe('keys', () => {
  it('that changed are asked for once more', async () => {
    const { bed, bob } = await people();
    bob.rotateKey();
    bed.serve(bob);
    bed.asked.length = 0;
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
    expect(bed.asked).toEqual([bob.uri]);
  });

  it('that change after somebody signed wrongly in their name are asked for all the same', async () => {
    const { bed, bob } = await people();
    const impostor = new RemotePerson('remote.example', 'bob');
    impostor.rotateKey();
    expect(await bed.send(impostor, bob.create(bob.note('forged')))).toBe(401);
    [impostor.pair, bob.pair] = [bob.pair, impostor.pair];
    bed.serve(bob);
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
  });

  it('are asked for again so often and no more, however many sign wrongly', async () => {
    const { bed, bob } = await people();
    const impostor = new RemotePerson('remote.example', 'bob');
    impostor.rotateKey();
    const { keyRefreshesAtOnce, keyRefreshMilliseconds } = activityLimits;
    bed.asked.length = 0;
    const forge = async (times: number) => {
      for (let time = 0; time < times; time += 1)
        expect(await bed.send(impostor, bob.create(bob.note(`forged${time}`)))).toBe(401);
    };
    await forge(keyRefreshesAtOnce + 5);
    expect(bed.asked).toHaveLength(keyRefreshesAtOnce);
    bed.gateway.actors.clock.advance(keyRefreshMilliseconds);
    await forge(3);
    expect(bed.asked).toHaveLength(keyRefreshesAtOnce + 1);
  });

  it('may stand at an address of their own, as GoToSocial’s do', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = new RemotePerson('gts.example', 'bob');
    bob.keyId = `${bob.uri}/main-key`;
    bed.serve(bob);
    // The key's address shows a stub of the actor, whose whole document stands at its id.
    bed.web.set(bob.keyId, { id: bob.uri, type: 'Person', publicKey: bob.document.publicKey });
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
    expect(bed.accountOf(bob.uri)).toBeDefined();
  });

  it('may name their owner', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = new RemotePerson('keys.example', 'bob');
    bob.keyId = 'https://keys.example/keys/7';
    bed.serve(bob);
    bed.web.set(bob.keyId, bob.document.publicKey as Record<string, unknown>);
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
    expect(bed.accountOf(bob.uri)).toBeDefined();
  });

  it('may be shown by their address alone', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    const { publicKey } = bob.document;
    bob.keyId = 'https://remote.example/keys/1';
    bed.web.set(bob.keyId, { ...(publicKey as object), id: bob.keyId });
    bed.web.set(bob.uri, { ...bob.document, publicKey: bob.keyId });
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
    const { publicKey: shown } = bed.person('remote.example', 'mallory').document;
    bed.web.set('https://remote.example/keys/2', { ...(shown as object), id: 'https://remote.example/keys/2' });
    const carol = bed.person('remote.example', 'carol');
    bed.web.set(carol.uri, { ...carol.document, publicKey: 'https://remote.example/keys/2' });
    expect(await bed.send(carol, carol.activity('Follow', aliceUri))).toBe(401);
  });

  it('may be named by the id of the actor alone, as apex does (Guppe, Immers)', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = bed.person('apex.example', 'bob');
    bob.keyId = bob.uri;
    expect(await bed.send(bob, bob.activity('Follow', aliceUri))).toBe(202);
    expect(bed.accountOf(bob.uri)).toBeDefined();
    bed.asked.length = 0;
    expect(await bed.send(bob, bob.create(bob.note('hello', { cc: [aliceUri] })))).toBe(202);
    expect(bed.asked).toEqual([]);
    const impostor = new RemotePerson('apex.example', 'bob');
    impostor.rotateKey();
    impostor.keyId = bob.uri;
    expect(await bed.send(impostor, bob.create(bob.note('forged')))).toBe(401);
  });

  it('that an owner does not list prove nothing', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const carol = bed.person('keys.example', 'carol');
    const mallory = new RemotePerson('keys.example', 'carol');
    mallory.rotateKey();
    mallory.keyId = 'https://keys.example/uploads/forged';
    const { publicKeyPem } = mallory.document.publicKey as { publicKeyPem: string };
    bed.web.set(mallory.keyId, { id: mallory.keyId, owner: carol.uri, publicKeyPem });
    expect(await bed.send(mallory, mallory.activity('Follow', aliceUri))).toBe(401);
  });

  it('of unknown actors are not fetched for what concerns nobody here', async () => {
    const bed = new InboundBed();
    const bob = bed.person('remote.example', 'bob');
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.asked).toEqual([]);
  });

  it('of unknown actors are fetched for one who writes its slashes as PHP does', async () => {
    const bed = new InboundBed();
    await bed.local('alice');
    const bob = bed.person('wordpress.example', 'bob');
    const body = JSON.stringify(bob.activity('Follow', aliceUri)).replaceAll('/', '\\/');
    expect(await bed.post('/inbox', body, signedHeaders(bob, '/inbox', body, bed.now))).toBe(202);
    expect(bed.accountOf(bob.uri)).toBeDefined();
  });

  it('of unknown actors are fetched for one address, however many they are, where they fit', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const uri = `${aliceUri}/statuses/${await bed.publish(alice, 'viral')}`;
    const fans = Array.from({ length: activityLimits.keyFailuresPerAddressMax + 20 }, (_, number) => `fan${number}`);
    const likes = fans.map(async (name) => {
      const person = bed.person('large.example', name);
      return bed.send(person, person.activity('Like', uri));
    });
    for (const like of likes) expect(await like).toBe(202);
  }, 30_000);

  it('are fetched for one address so often and no more', async () => {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const statuses = new Set<number>();
    for (let number = 0; number <= activityLimits.keyFailuresPerAddressMax; number += 1) {
      const person = new RemotePerson('remote.example', `nobody${number}`);
      statuses.add(await bed.send(person, person.activity('Follow', aliceUri)));
    }
    expect([...statuses]).toEqual([401, 429]);
    expect(bed.asked).toHaveLength(activityLimits.keyFailuresPerAddressMax);
    const hidden = await bed.publish(alice, 'hidden', { visibility: 'private' });
    const path = `/users/alice/statuses/${hidden}`;
    const stranger = new RemotePerson('remote.example', 'stranger');
    const headers = { accept: 'application/activity+json', ...signedGetHeaders(stranger, path, bed.now) };
    expect((await bed.gateway.fetch(path, { headers })).status).toBe(429);
    expect(bed.asked).toHaveLength(activityLimits.keyFailuresPerAddressMax);
  }, 30_000);
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
  const { bed, bob } = await people();
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
  it('is there for accounts that are', async () => {
    const { bed, alice, bob } = await people();
    const follow = bob.activity('Follow', aliceUri);
    expect(await bed.send(bob, follow, { inbox: '/users/nobody/inbox' })).toBe(404);
    expect(await bed.send(bob, follow, { inbox: '/actor/inbox' })).toBe(202);
    await bed.gateway.actors.call(Account.changeLogin.to(alice, { suspended: true }));
    expect(await bed.send(bob, follow, { inbox: '/users/alice/inbox' })).toBe(410);
  });
});

it('takes hostile HTML apart before anything is stored', async () => {
  const { bed, bob } = await people();
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

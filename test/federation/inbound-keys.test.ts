/** Which key verifies a request, and when a key is fetched. */
import { createHash, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { destinationOf } from '../../src/actors/account/profile/profiles.queries.ts';
import { relationshipLimits } from '../../src/actors/account/relationships/limits.ts';
import { findProfile } from '../../src/actors/account/remote/federation.queries.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { aliceFollowsBob, home, InboundBed, RemotePerson } from './inbound-bed.ts';
import { signedGetHeaders, signedHeaders } from './signed-headers.ts';

const aliceUri = `${home}/users/alice`;

/** Alice follows Bob, whose server is told. */
async function followedBob() {
  const bed = new InboundBed();
  const bob = bed.person('remote.example', 'bob');
  const bobId = await bed.know(bob);
  const follow = (localId: bigint) => {
    const targetDestination = destinationOf(findProfile(bed.read, bobId)!)!;
    return bed.gateway.actors.call(Account.follow.to(localId, { targetId: bobId, targetDestination, options: {} }));
  };
  await follow(await bed.local('alice'));
  const follows = () => bed.sent().flatMap(({ type, id, actor }) => (type === 'Follow' ? `${actor} ${id}` : []));
  return { bed, bob, follow, follows };
}

describe('keys', () => {
  it('that changed are asked for once more', async () => {
    const { bed, bob } = await aliceFollowsBob();
    bob.rotateKey();
    bed.serve(bob);
    bed.asked.length = 0;
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
    expect(bed.asked).toEqual([bob.uri]);
  });

  it('that change after somebody signed wrongly in their name are asked for all the same', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const impostor = new RemotePerson('remote.example', 'bob');
    impostor.rotateKey();
    expect(await bed.send(impostor, bob.create(bob.note('forged')))).toBe(401);
    [impostor.pair, bob.pair] = [bob.pair, impostor.pair];
    bed.serve(bob);
    expect(await bed.send(bob, bob.create(bob.note('hello')))).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
  });

  it('that all changed are those of a server built anew, which is asked for every follow again', async () => {
    const { bed, bob, follow, follows } = await followedBob();
    await bed.send(bob, bob.activity('Update', { ...bob.document, manuallyApprovesFollowers: true }));
    await follow(await bed.local('carol'));
    await bed.send(bob, bob.activity('Follow', aliceUri));
    const before = follows();
    expect(before).toHaveLength(2);
    let former = bob.pair;
    bob.rotateKey();
    bed.serve(bob);
    for (const name of ['one', 'two']) await bed.send(bob, bob.create(bob.note(name)));
    expect(follows().sort()).toEqual([...before, ...before].sort());
    // Whoever changes keys all day is not asked all day.
    for (const name of ['three', 'four']) {
      [bob.pair, former] = [former, bob.pair];
      bed.serve(bob);
      bed.gateway.actors.clock.advance(activityLimits.keyRefreshMilliseconds);
      await bed.send(bob, bob.create(bob.note(name)));
      expect(bed.stored(bob.note(name).id)).toBeDefined();
    }
    expect(follows()).toHaveLength(2 * before.length);
  });

  it('that all changed are asked for in slices, however many accounts follow', async () => {
    const { bed, bob, follow, follows } = await followedBob();
    const { movesToldPerTurn } = relationshipLimits;
    for (let number = 0; number < movesToldPerTurn; number += 1) await follow(await bed.local(`person${number}`));
    bob.rotateKey();
    bed.serve(bob);
    await bed.send(bob, bob.create(bob.note('hello')));
    expect(follows()).toHaveLength(2 * (movesToldPerTurn + 1));
    expect(new Set(follows()).size).toBe(movesToldPerTurn + 1);
  });

  it('that are joined by others, or replaced by an Update that they signed, ask for nothing', async () => {
    const { bed, bob, follows } = await followedBob();
    const { publicKey } = bob.document;
    const [former, formerId] = [bob.pair, bob.keyId];
    bob.rotateKey();
    bob.keyId = `${bob.uri}#second-key`;
    bed.web.set(bob.uri, { ...bob.document, publicKey: [publicKey, bob.document.publicKey] });
    await bed.send(bob, bob.create(bob.note('hello')));
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
    await bed.send(bob, bob.activity('Update', { ...bob.document, publicKey }));
    [bob.pair, bob.keyId] = [former, formerId];
    await bed.send(bob, bob.create(bob.note('signed with the former key')));
    expect(bed.stored(bob.note('signed with the former key').id)).toBeDefined();
    expect(follows()).toHaveLength(1);
  });

  it('are asked for again so often and no more, however many sign wrongly', async () => {
    const { bed, bob } = await aliceFollowsBob();
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

  it('verify what was signed by RFC 9421', async () => {
    const { bed, bob } = await aliceFollowsBob();
    const body = JSON.stringify(bob.create(bob.note('hello')));
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const created = Math.floor(bed.now / 1_000);
    const input = `("@method" "@target-uri" "content-digest");created=${created};keyid="${bob.keyId}"`;
    const text = [
      '"@method": POST',
      `"@target-uri": ${home}/inbox`,
      `"content-digest": ${digest}`,
      `"@signature-params": ${input}`,
    ].join('\n');
    const signature = `s=:${sign('sha256', Buffer.from(text), bob.pair.privateKey).toString('base64')}:`;
    const headers = { 'content-digest': digest, 'signature-input': `s=${input}`, signature };
    expect(await bed.post('/inbox', `${body} `, headers)).toBe(401);
    expect(await bed.post('/users/alice/inbox', body, headers)).toBe(401);
    expect(await bed.post('/inbox', body, headers)).toBe(202);
    expect(bed.stored(bob.note('hello').id)).toBeDefined();
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
  });

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
  });
});

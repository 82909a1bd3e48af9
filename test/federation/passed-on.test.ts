/** Activities that others have written: forwarded in threads that are read here, and brought by relays. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { isDeletedStatus } from '../../src/actors/account/remote/federation.queries.ts';
import { allJoinedRelays, findReceipts } from '../../src/actors/relay/joined/joined.queries.ts';
import { Relay, relayKey } from '../../src/actors/relay/relay.messages.ts';
import { publicEntries } from '../../src/actors/timelines.queries.ts';
import { withProof } from '../../src/federation/document-signatures/integrity-proofs.ts';
import { signDocument } from '../../src/federation/document-signatures/sign-document.ts';
import { relayReceiptsOf } from '../../src/federation/inbox/relay-receipts.ts';
import { activityLimits } from '../../src/federation/limits.ts';
import { blockDomain } from '../../src/operations/administration/domain-blocks.ts';
import { operator } from '../../src/operations/caller.ts';
import type { JsonObject } from '../../src/outbound/fetcher/json.ts';
import { ed25519Multikey } from '../../src/outbound/signatures/multikey.ts';
import type { PassedOnOutcome } from '../../src/services/passed-on.ts';
import { documentsHere } from '../support/only.ts';
import { until } from '../support/until.ts';
import { aliceFollowsBob, home, type InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';

let bed: InboundBed;
let alice: bigint;
let bob: RemotePerson;
/** Answers in bob's threads; nobody here follows her. */
let carol: RemotePerson;
let outcomes: PassedOnOutcome[];

beforeEach(async () => {
  ({ bed, alice, bob } = await aliceFollowsBob());
  carol = bed.person('third.example', 'carol');
  outcomes = [];
  const { passedOn } = bed.gateway.services;
  Object.assign(passedOn, { count: (_by: string, outcome: PassedOnOutcome) => void outcomes.push(outcome) });
});

const context = [
  'https://www.w3.org/ns/activitystreams',
  { sensitive: 'as:sensitive', Hashtag: 'as:Hashtag', toot: 'http://joinmastodon.org/ns#', Emoji: 'toot:Emoji' },
];

function signedBy(person: RemotePerson, activity: unknown, createdAt = bed.now): Promise<JsonObject> {
  const signer = { keyId: person.keyId, privateKey: person.pair.privateKey };
  return signDocument(documentsHere, { ...(activity as JsonObject), '@context': context }, { signer, createdAt });
}

const ed25519 = generateKeyPairSync('ed25519');

function proofKey({ uri }: RemotePerson) {
  return { id: `${uri}#ed25519-key`, privateKey: ed25519.privateKey };
}

function multikey(host: string) {
  const controller = `https://${host}/users/carol`;
  const publicKeyMultibase = ed25519Multikey(ed25519.publicKey);
  return { id: `${controller}#ed25519-key`, type: 'Multikey', controller, publicKeyMultibase };
}

describe('in a thread that is read here', () => {
  let answer: ReturnType<RemotePerson['note']>;

  beforeEach(async () => {
    const post = bob.note('post');
    await bed.send(bob, bob.create(post));
    answer = carol.note('answer', { inReplyTo: post.id, sensitive: true });
  });

  test('a signed answer of a stranger is stored, with nothing fetched but her', async () => {
    bed.asked.length = 0;
    expect(await bed.send(bob, await signedBy(carol, carol.create(answer)))).toBe(202);
    expect(bed.stored(answer.id)).toMatchObject({ sensitive: true, accountId: bed.accountOf(carol.uri) });
    expect(bed.asked).not.toContain(answer.id);
    expect(outcomes).toEqual(['applied']);
  });

  test('it counts once, and a repetition costs nothing', async () => {
    const activity = await signedBy(carol, carol.create(answer));
    for (let time = 0; time < 3; time += 1) expect(await bed.send(bob, activity)).toBe(202);
    expect(outcomes).toEqual(['applied']);
  });

  test('her signed edit and her signed deletion count as well', async () => {
    await bed.send(bob, await signedBy(carol, carol.create(answer)));
    const edited = { ...answer, content: '<p>edited</p>', updated: '2025-01-01T12:00:00Z' };
    await bed.send(bob, await signedBy(carol, carol.activity('Update', edited)));
    expect(bed.stored(answer.id)).toMatchObject({ content: '<p>edited</p>' });
    const statusId = bed.stored(answer.id)!.id;
    await bed.send(bob, carol.activity('Delete', answer.id));
    expect(bed.stored(answer.id)).toBeDefined();
    await bed.send(bob, await signedBy(carol, carol.activity('Delete', { id: answer.id, type: 'Tombstone' })));
    expect(bed.stored(answer.id)).toBeUndefined();
    expect(isDeletedStatus(bed.read, statusId)).toBe(true);
    expect(outcomes).toEqual(['applied', 'applied', 'unproved', 'applied']);
  });

  test('so does a proof of hers, and nothing but her is fetched', async () => {
    carol = bed.person('fourth.example', 'carol', { assertionMethod: [multikey('fourth.example')] });
    const proved = (note: typeof answer) => withProof(carol.create(note) as JsonObject, proofKey(carol), bed.now);
    answer = carol.note('answer', { inReplyTo: bob.note('post').id });
    bed.asked.length = 0;
    expect(await bed.send(bob, proved(answer))).toBe(202);
    expect(bed.stored(answer.id)).toMatchObject({ accountId: bed.accountOf(carol.uri) });
    expect(bed.asked).toContain(carol.uri);
    expect(bed.asked).not.toContain(answer.id);
    // What she signs requests with is known as well: no key is fetched any more.
    bed.asked.length = 0;
    const second = carol.note('second', { to: [`${home}/users/alice`] });
    expect(await bed.send(carol, carol.create(second))).toBe(202);
    expect(await bed.send(bob, proved(carol.note('third', { inReplyTo: answer.inReplyTo })))).toBe(202);
    expect(bed.stored(second.id)).toBeDefined();
    expect(bed.stored(carol.note('third').id)).toBeDefined();
    expect(bed.asked).toEqual([]);
    expect(outcomes).toEqual(['applied', 'applied']);
  });

  test('a proof of something else proves nothing, and the signature beside it counts', async () => {
    const wrong = withProof(carol.create(carol.note('other')) as JsonObject, proofKey(carol), bed.now).proof;
    const { '@context': _context, ...activity } = carol.create(answer);
    await bed.send(bob, await signedBy(carol, { ...activity, proof: wrong }));
    expect(bed.stored(answer.id)).toBeDefined();
    expect(outcomes).toEqual(['applied']);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['without a signature', async () => carol.create(answer)],
    ['with another text than was signed', async () => changed(await signedBy(carol, carol.create(answer)))],
    ['signed by the one who passes it on', () => signedBy(bob, carol.create(answer))],
    ['signed too long ago', () => signedBy(carol, carol.create(answer), bed.now - 49 * 3_600_000)],
  ])('an answer %s is fetched from its server', async (_name, forwarded) => {
    bed.web.set(String(answer.id), { ...answer, content: '<p>as her server shows it</p>' });
    expect(await bed.send(bob, await forwarded())).toBe(202);
    expect(bed.stored(answer.id)).toMatchObject({ content: '<p>as her server shows it</p>' });
    expect(outcomes).toEqual(['fetched']);
  });

  test('what its server does not show is not stored', async () => {
    expect(await bed.send(bob, carol.create(answer))).toBe(202);
    expect(bed.stored(answer.id)).toBeUndefined();
    expect(outcomes).toEqual(['unproved']);
  });

  test('an edit that nobody has signed is fetched', async () => {
    await bed.send(bob, await signedBy(carol, carol.create(answer)));
    const edited = { ...answer, content: '<p>edited</p>', updated: '2025-01-01T12:00:00Z' };
    bed.web.set(String(answer.id), edited);
    await bed.send(bob, carol.activity('Update', { ...edited, content: '<p>a lie</p>' }));
    expect(bed.stored(answer.id)).toMatchObject({ content: '<p>edited</p>' });
  });

  test.each<[string, () => unknown, PassedOnOutcome]>([
    [
      'an answer to what nobody reads',
      () => carol.create(carol.note('other', { inReplyTo: 'https://x.example/1' })),
      'unwanted',
    ],
    ['a follow', () => carol.activity('Follow', `${home}/users/alice`), 'other type'],
    ['a like', () => carol.activity('Like', `${home}/users/alice/statuses/1`), 'other type'],
    ['a post of a local account', () => ({ ...carol.create(answer), actor: `${home}/users/alice` }), 'other type'],
  ])('%s is dropped, signed or not', async (_name, make, outcome) => {
    expect(await bed.send(bob, await signedBy(carol, make()))).toBe(202);
    expect(outcomes).toEqual([outcome]);
  });

  test('no more is fetched for one host than its share', async () => {
    const many = activityLimits.keyFetchesPerHostMin + 3;
    for (let number = 0; number < many; number += 1)
      await bed.send(bob, carol.create(carol.note(`lie ${number}`, { inReplyTo: answer.inReplyTo })));
    expect(outcomes.filter((outcome) => outcome === 'shed')).toHaveLength(3);
  });
});

function changed(activity: JsonObject): JsonObject {
  return { ...activity, object: { ...(activity.object as JsonObject), content: '<p>a lie</p>' } };
}

describe('by a relay', () => {
  let relay: RemotePerson;

  beforeEach(async () => {
    relay = bed.person('relay.example', 'relay', { type: 'Application', inbox: 'https://relay.example/inbox' });
    await bed.gateway.actors.call(
      Relay.join.to(relayKey, { host: relay.host, form: 'public', inbox: 'https://relay.example/inbox' }),
    );
    await bed.know(relay);
  });

  const accept = (followUri: unknown = followOf().id) =>
    bed.send(relay, relay.activity('Accept', { id: followUri, type: 'Follow' }));
  const followOf = () => bed.sent().find(({ type }) => type === 'Follow')!;
  const stateOf = () => allJoinedRelays(bed.read)[0]?.state;
  const isListed = (uri: unknown) =>
    [...publicEntries(bed.read, 'remote', { limit: 40 })].some(({ id }) => id === bed.stored(uri)?.id);

  test('it is asked as Mastodon asks it, and known by its answer', async () => {
    expect(followOf()).toEqual({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: expect.stringMatching(/^https:\/\/social\.example\/activities\/\d+$/),
      type: 'Follow',
      actor: `${home}/actor`,
      object: publicAudience,
    });
    expect(stateOf()).toBe('pending');
    await accept(`${home}/activities/1`);
    expect(stateOf()).toBe('pending');
    const other = bed.person('other.example', 'relay');
    await bed.know(other);
    await bed.send(other, other.activity('Accept', { id: followOf().id, type: 'Follow' }));
    expect(stateOf()).toBe('pending');
    await accept();
    expect(stateOf()).toBe('accepted');
    expect(allJoinedRelays(bed.read)[0]).toMatchObject({ actor: relay.uri });
    await bed.send(relay, relay.activity('Reject', { id: followOf().id, type: 'Follow' }));
    expect(stateOf()).toBe('rejected');
  });

  test('nothing of it is taken before it has accepted', async () => {
    const note = carol.note('early');
    await bed.send(relay, await signedBy(carol, carol.create(note)));
    expect(bed.stored(note.id)).toBeUndefined();
  });

  test('a signed post is stored for the timelines of everybody, with nothing fetched but its author', async () => {
    await accept();
    const note = carol.note('relayed', {
      inReplyTo: null,
      tag: [{ type: 'Hashtag', name: '#one', href: 'https://third.example/tags/one' }],
    });
    bed.asked.length = 0;
    expect(await bed.send(relay, await signedBy(carol, carol.create(note)))).toBe(202);
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual(['applied']);
    expect(isListed(note.id)).toBe(true);
    expect(bed.asked.filter((url) => !url.includes('carol'))).toEqual([]);
  });

  test('of what it announces the original is fetched, once, and nobody has boosted it', async () => {
    await accept();
    const note = carol.note('announced');
    bed.web.set(String(note.id), note);
    const announce = relay.activity('Announce', note.id, { to: [`${relay.uri}/followers`] });
    await bed.send(relay, announce);
    await until(() => outcomes.length > 0);
    await bed.send(relay, { ...announce, id: `${relay.uri}/announces/2` });
    await until(() => outcomes.length > 1);
    expect(outcomes).toEqual(['fetched', 'repeated']);
    expect(isListed(note.id)).toBe(true);
    expect(bed.asked.filter((url) => url === note.id)).toHaveLength(1);
    expect(bed.stored(announce.id)).toBeUndefined();
  });

  test.each<[string, () => unknown, PassedOnOutcome]>([
    [
      'what is not listed',
      () => carol.create(carol.note('x', { to: [`${carol.uri}/followers`], cc: [publicAudience] })),
      'not public',
    ],
    [
      'what is for followers',
      () => carol.create(carol.note('x', { to: [`${carol.uri}/followers`], cc: [] })),
      'not public',
    ],
    ['what is unsigned and not to be found', () => carol.create(carol.note('x')), 'unproved'],
    ['a boost of somebody', () => carol.activity('Announce', 'https://third.example/notes/1'), 'other type'],
    ['an edit of something unknown', () => carol.activity('Update', carol.note('x')), 'unwanted'],
  ])('%s is not stored', async (_name, make, outcome) => {
    await accept();
    expect(await bed.send(relay, make())).toBe(202);
    await until(() => outcomes.length > 0);
    expect(outcomes).toEqual([outcome]);
    expect(bed.stored('https://third.example/notes/x')).toBeUndefined();
  });

  test('what somebody here follows comes in once, whoever brings it first', async () => {
    await accept();
    const note = bob.note('both');
    const activity = await signedBy(bob, bob.create(note));
    await bed.send(bob, activity);
    await bed.send(relay, activity);
    await bed.send(relay, relay.activity('Announce', note.id));
    expect(outcomes).toEqual(['repeated']);
  });

  test('a deletion that comes while the post is being stored waits for it, and the post comes in once', async () => {
    await accept();
    const note = carol.note('short');
    const activity = await signedBy(carol, carol.create(note));
    const deletion = await signedBy(carol, carol.activity('Delete', { id: note.id, type: 'Tombstone' }));
    // Her actor is fetched meanwhile.
    const { promise, resolve } = Promise.withResolvers<void>();
    const { resolver } = bed.gateway.services;
    const { findKeyOwner } = resolver;
    const slow: typeof findKeyOwner = async (...asked) => {
      await promise;
      return findKeyOwner(...asked);
    };
    Object.assign(resolver, { findKeyOwner: slow });
    await bed.send(relay, activity);
    await bed.send(relay, activity);
    await bed.send(relay, deletion);
    expect(outcomes).toEqual(['repeated']);
    resolve();
    await until(() => outcomes.length > 2);
    expect(outcomes).toEqual(['repeated', 'applied', 'applied']);
    expect(bed.stored(note.id)).toBeUndefined();
    expect(bed.accountOf(carol.uri)).toBeDefined();
  });

  test('a deletion that another gateway gets first counts, and the post that follows stays out', async () => {
    await accept();
    await bed.know(carol);
    const note = carol.note('short');
    const deletion = await signedBy(carol, carol.activity('Delete', { id: note.id, type: 'Tombstone' }));
    const other = bed.anotherThread();
    const { passedOn } = bed.gateway.services;
    Object.assign(other.services, { passedOn, resolver: bed.gateway.services.resolver });
    await bed.send(relay, deletion, { thread: other });
    await until(() => outcomes.length > 0);
    await bed.send(relay, await signedBy(carol, carol.create(note)));
    await until(() => outcomes.length > 1);
    expect(outcomes[0]).toBe('applied');
    expect(bed.stored(note.id)).toBeUndefined();
  });

  test('authors of a suspended server stay out, and the relay hears nothing of it', async () => {
    await accept();
    await blockDomain(
      { caller: operator, services: bed.gateway.services },
      { domain: 'third.example', severity: 'suspend' },
    );
    expect(await bed.send(relay, await signedBy(carol, carol.create(carol.note('blocked'))))).toBe(202);
    await bed.send(relay, relay.activity('Announce', 'https://third.example/notes/other'));
    await until(() => outcomes.length > 1);
    expect(outcomes).toEqual(['suspended', 'suspended']);
  });

  test('what it has brought is counted, by what became of it, and not what others pass on', async () => {
    await accept();
    await bed.send(relay, await signedBy(carol, carol.create(carol.note('new'))));
    await until(() => outcomes.length === 1);
    await bed.send(
      relay,
      await signedBy(carol, { ...carol.create(carol.note('new')), id: 'https://third.example/again' }),
    );
    await bed.send(relay, await signedBy(carol, carol.activity('Like', `${home}/users/alice/statuses/1`)));
    await bed.send(bob, await signedBy(carol, carol.activity('Like', `${home}/users/alice/statuses/2`)));
    expect(outcomes).toEqual(['applied', 'repeated', 'other type', 'other type']);
    const { id } = allJoinedRelays(bed.read)[0]!;
    await relayReceiptsOf(bed.gateway.services).tell();
    expect(findReceipts(bed.read, id)).toEqual({ received: 3, taken: 1, refused: 1, shed: 0, lastAt: bed.now });
  });

  test('more than a gateway works on at once is shed', async () => {
    await accept();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    Object.assign(bed.gateway.services.passedOn, { fetchRelayed: () => promise });
    const { relayedAtOnceMax } = activityLimits;
    for (let number = 0; number <= relayedAtOnceMax; number += 1)
      await bed.send(relay, relay.activity('Announce', `https://host${number}.example/notes/1`));
    expect(outcomes).toEqual(['shed']);
    resolve(true);
    await until(() => outcomes.length > relayedAtOnceMax);
  });

  test('public posts go to it from now on, and no others; and nothing once it was left', async () => {
    await accept();
    await bed.publish(alice, 'for everybody');
    await bed.publish(alice, 'not listed', { visibility: 'unlisted' });
    await bed.publish(alice, 'for followers', { visibility: 'private' });
    const sentTo = () => bed.deliveriesTo('https://relay.example/inbox').map(({ kind }) => kind);
    expect(sentTo()).toEqual(['followRelay', 'create']);
    const { id } = allJoinedRelays(bed.read)[0]!;
    await bed.gateway.actors.call(Relay.leaveRelay.to(relayKey, { id }));
    await bed.publish(alice, 'later');
    expect(sentTo()).toEqual(['followRelay', 'create', 'unfollowRelay']);
    expect(bed.sent().find(({ type }) => type === 'Undo')).toMatchObject({
      object: { type: 'Follow', object: publicAudience },
    });
    const note = carol.note('late');
    await bed.send(relay, await signedBy(carol, carol.create(note)));
    expect(bed.stored(note.id)).toBeUndefined();
  });
});

/** Quotes between servers (FEP-044f and the properties before it), with documents as other servers send them. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountRules } from '../../src/actors/account/account.actor.ts';
import { Account } from '../../src/actors/account/account.messages.ts';
import { chooseNotifications } from '../../src/actors/account/notifications/notifications.queries.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { findStatus } from '../../src/actors/account/statuses/statuses.queries.ts';
import { deliveryLog } from '../../src/actors/partition/partition.state.ts';
import { translateIntent } from '../../src/federation/documents/intents.ts';
import { revokeQuote } from '../../src/operations/quotes/revoke-quote.ts';
import { unlimited } from '../../src/operations/rate-limits.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { plainPost } from '../support/plain-post.ts';
import { assertSound } from '../support/sound.ts';
import { home, InboundBed, publicAudience, type RemotePerson } from './inbound-bed.ts';

const everybody = { quoteApproval: { automatic: ['public'], manual: [] } } satisfies Partial<PublishStatus>;

async function bedOfAlice() {
  const bed = new InboundBed();
  onTestFinished(() => {
    expect(bed.gateway.actors.problems).toEqual([]);
    assertSound(bed.gateway.actors.disks, accountRules);
  });
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const view = (statusId: bigint) => findStatus(bed.read, statusId)!;
  const notified = () => chooseNotifications(bed.read, alice, {}, { limit: 40 }, (_id, { type }) => type).items;
  const sent = () =>
    bed.read.partitions
      .flatMap((partition) => Array.from(partition.range(deliveryLog, []), ({ value }) => value))
      .map(({ intent }) => translateIntent(intent, bed.read, bed.gateway.services.addresses)?.activity ?? {});
  const post = async (more: Partial<PublishStatus> = everybody) => {
    const { statusId } = await bed.gateway.actors.call(Account.publish.to(alice, plainPost('Original', more)));
    return { statusId, uri: `${home}/users/alice/statuses/${statusId}` };
  };
  const as = () => ({
    caller: { kind: 'account' as const, accountId: alice, limits: unlimited },
    services: bed.gateway.services,
  });
  const quoteOf = (note: { id?: unknown }) => bed.stored(note.id)?.quote;
  const authorization = (quoteId: bigint | undefined) => `/users/alice/quote_authorizations/${quoteId}`;
  const fetched = async (path: string) => {
    const response = await bed.gateway.fetch(path, { headers: { accept: 'application/activity+json' } } as never);
    return { status: response.status, body: response.status === 200 ? await response.json() : undefined };
  };
  return { bed, alice, bob, view, notified, sent, post, as, quoteOf, authorization, fetched };
}

const request = (by: RemotePerson, quoted: string, instrument: unknown) =>
  by.activity('QuoteRequest', quoted, { instrument });

describe('a request to quote', () => {
  it('is answered by the policy, with an authorization that everybody can fetch', async () => {
    const { bed, alice, bob, view, notified, sent, post, quoteOf, authorization, fetched } = await bedOfAlice();
    const { statusId, uri } = await post();
    const note = bob.note('quote', { quote: uri, quoteUri: uri });
    const asked = request(bob, uri, note);
    expect(await bed.send(bob, asked)).toBe(202);
    expect(quoteOf(note)).toMatchObject({ statusId, accountId: alice, state: 'accepted' });
    expect(view(statusId).counters.quotes).toBe(1);
    expect(notified()).toEqual(['quote']);
    const path = authorization(bed.stored(note.id)?.id);
    expect(sent()).toContainEqual(
      expect.objectContaining({
        type: 'Accept',
        actor: `${home}/users/alice`,
        object: { id: asked.id, type: 'QuoteRequest', actor: bob.uri, object: uri, instrument: note.id },
        result: `${home}${path}`,
      }),
    );
    expect(await fetched(path)).toMatchObject({
      status: 200,
      body: {
        id: `${home}${path}`,
        type: 'QuoteAuthorization',
        attributedTo: `${home}/users/alice`,
        interactingObject: note.id,
        interactionTarget: uri,
      },
    });
    // Once more: the same answer, and nothing counts twice.
    await bed.send(bob, asked);
    expect(view(statusId).counters.quotes).toBe(1);
    expect(sent().filter(({ type }) => type === 'Accept')).toHaveLength(2);
  });

  it('names the status by its address alone, and it is fetched', async () => {
    const { bed, bob, post, quoteOf } = await bedOfAlice();
    const { uri } = await post();
    const note = bob.note('quote', { quote: uri });
    bed.web.set(String(note.id), note);
    await bed.send(bob, request(bob, uri, note.id));
    expect(bed.asked).toContain(note.id);
    expect(quoteOf(note)).toMatchObject({ state: 'accepted' });
  });

  it.each<[string, Partial<PublishStatus>]>([
    ['is for nobody', {}],
    ['is for followers', { quoteApproval: { automatic: ['followers'], manual: [] } }],
    ['is private', { visibility: 'private' }],
  ])('is refused where the status %s, and nothing is kept', async (_what, more) => {
    const { bed, bob, sent, post, notified } = await bedOfAlice();
    const { uri } = await post(more);
    const note = bob.note('quote', { quote: uri });
    await bed.send(bob, request(bob, uri, note));
    expect(bed.stored(note.id)).toBeUndefined();
    const object = expect.objectContaining({ instrument: note.id });
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'Reject', object }));
    expect(sent().filter(({ type }) => type === 'Accept')).toEqual([]);
    expect(notified()).toEqual([]);
  });

  it('of a follower is accepted where followers may', async () => {
    const { bed, alice, bob, post, quoteOf } = await bedOfAlice();
    const { uri } = await post({ quoteApproval: { automatic: ['followers'], manual: [] } });
    await bed.send(bob, bob.activity('Follow', `${home}/users/alice`));
    expect(alice).toBeDefined();
    const note = bob.note('quote', { quote: uri });
    await bed.send(bob, request(bob, uri, note));
    expect(quoteOf(note)).toMatchObject({ state: 'accepted' });
  });

  it.each<[string, (bob: RemotePerson, mallory: RemotePerson, uri: string) => object]>([
    ['for somebody else', (bob, mallory, uri) => request(mallory, uri, bob.note('quote', { quote: uri }))],
    ['for what quotes something else', (_bob, mallory, uri) => request(mallory, uri, mallory.note('quote'))],
  ])('%s is dropped', async (_what, make) => {
    const { bed, bob, sent, post } = await bedOfAlice();
    const mallory = bed.person('evil.example', 'mallory');
    const { uri } = await post();
    await bed.send(mallory, make(bob, mallory, uri));
    expect(sent().filter(({ type }) => type === 'Accept')).toEqual([]);
  });

  it('was granted until the author takes it back: then the authorization is gone, and its server hears so', async () => {
    const { bed, bob, view, sent, post, as, quoteOf, authorization, fetched } = await bedOfAlice();
    const { statusId, uri } = await post();
    const note = bob.note('quote', { quote: uri });
    await bed.send(bob, request(bob, uri, note));
    const quoteId = bed.stored(note.id)!.id;
    await revokeQuote(as(), { statusId, quoteId });
    expect(quoteOf(note)).toMatchObject({ state: 'revoked' });
    expect(view(statusId).counters.quotes).toBe(0);
    const path = authorization(quoteId);
    expect((await fetched(path)).status).toBe(404);
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'Delete', object: `${home}${path}` }));
    await bed.send(bob, request(bob, uri, note));
    expect(quoteOf(note)).toMatchObject({ state: 'revoked' });
    expect(sent().filter(({ type }) => type === 'Reject')).toHaveLength(1);
  });
});

describe('a status that quotes a local one', () => {
  it.each<[string, (uri: string) => Record<string, unknown>]>([
    ['as FEP-044f says it', (uri) => ({ quote: uri })],
    ['as Misskey says it', (uri) => ({ _misskey_quote: uri, quoteUrl: uri })],
    ['as Fedibird says it', (uri) => ({ quoteUri: uri })],
    [
      'by a link (FEP-e232)',
      (href) => ({
        tag: [
          { type: 'Link', rel: 'https://misskey-hub.net/ns#_misskey_quote', mediaType: 'application/ld+json', href },
        ],
      }),
    ],
  ])('%s is judged by its policy when it comes', async (_what, more) => {
    const { bed, bob, quoteOf, post, notified } = await bedOfAlice();
    const [open, closed] = [await post(), await post({})];
    const [allowed, refused] = [bob.note('allowed', more(open.uri)), bob.note('refused', more(closed.uri))];
    for (const note of [allowed, refused]) await bed.send(bob, bob.create(note));
    expect(quoteOf(allowed)).toMatchObject({ statusId: open.statusId, state: 'accepted' });
    expect(quoteOf(refused)).toMatchObject({ statusId: closed.statusId, state: 'rejected' });
    expect(notified()).toEqual(['quote']);
  });

  it('that is for its author alone is quoted by nobody', async () => {
    const { bed, alice, bob, quoteOf, post } = await bedOfAlice();
    await bed.follow(alice, bob);
    const { uri } = await post({ visibility: 'direct' });
    const note = bob.note('quote', { quote: uri });
    await bed.send(bob, bob.create(note));
    expect(bed.stored(note.id)).toBeDefined();
    expect(quoteOf(note)).toBeUndefined();
  });

  it('counts no more when it is deleted', async () => {
    const { bed, bob, view, post, notified } = await bedOfAlice();
    const { statusId, uri } = await post();
    const note = bob.note('quote', { quote: uri });
    await bed.send(bob, bob.create(note));
    await bed.send(bob, bob.activity('Delete', note.id));
    expect(view(statusId).counters.quotes).toBe(0);
    expect(notified()).toEqual([]);
  });
});

describe('a status that quotes another remote one', () => {
  /** Bob, whom Alice follows, quotes Carol. */
  async function withCarol(stamp: object = {}) {
    const made = await bedOfAlice();
    const { bed, alice, bob } = made;
    const carol = bed.person('third.example', 'carol');
    await bed.follow(alice, bob);
    const quoted = carol.note('quoted', {
      interactionPolicy: {
        canQuote: { automaticApproval: [publicAudience], manualApproval: [`${carol.uri}/followers`] },
      },
    });
    bed.web.set(String(quoted.id), quoted);
    const quoteAuthorization = 'https://third.example/stamps/1';
    const note = bob.note('quote', { quote: quoted.id, quoteAuthorization });
    bed.web.set(quoteAuthorization, {
      '@context': ['https://www.w3.org/ns/activitystreams'],
      id: quoteAuthorization,
      type: 'QuoteAuthorization',
      attributedTo: carol.uri,
      interactingObject: note.id,
      interactionTarget: quoted.id,
      ...stamp,
    });
    return { ...made, carol, quoted, note, quoteAuthorization };
  }

  it('is shown as a quote once the authorization was fetched', async () => {
    const { bed, bob, view, quoted, note, quoteAuthorization, quoteOf } = await withCarol();
    await bed.send(bob, bob.create(note));
    const status = bed.stored(quoted.id)!;
    expect(quoteOf(note)).toMatchObject({
      statusId: status.id,
      state: 'accepted',
      authorizationUri: quoteAuthorization,
    });
    expect(view(status.id).counters.quotes).toBe(1);
    expect(status.quoteApproval).toEqual({ automatic: ['public'], manual: ['followers'] });
  });

  it.each<[string, object]>([
    ['of another type', { type: 'Note' }],
    ["of somebody else's", { attributedTo: 'https://third.example/users/mallory' }],
    ['of another quote', { interactingObject: 'https://remote.example/notes/other' }],
    ['for another status', { interactionTarget: 'https://third.example/notes/other' }],
    ['with another id', { id: 'https://third.example/stamps/2' }],
  ])('waits where the authorization is %s', async (_what, stamp) => {
    const { bed, bob, note, quoteOf } = await withCarol(stamp);
    await bed.send(bob, bob.create(note));
    expect(quoteOf(note)).toMatchObject({ state: 'pending' });
  });

  it('waits where the authorization is on the host of who quotes, which is not even asked', async () => {
    const { bed, bob, note, quoteOf } = await withCarol();
    const own = 'https://remote.example/stamps/1';
    await bed.send(bob, bob.create({ ...note, quoteAuthorization: own }));
    expect(quoteOf(note)).toMatchObject({ state: 'pending' });
    expect(bed.asked).not.toContain(own);
  });

  it('is shown as soon as an Update brings the authorization, and no more when its Delete comes', async () => {
    const { bed, bob, carol, view, quoted, note, quoteAuthorization, quoteOf } = await withCarol();
    const { quoteAuthorization: _none, ...waiting } = note;
    await bed.send(bob, bob.create(waiting));
    expect(quoteOf(note)).toMatchObject({ state: 'pending' });
    await bed.send(bob, bob.activity('Update', note));
    expect(quoteOf(note)).toMatchObject({ state: 'accepted' });
    expect(bed.stored(note.id)?.editedAt).toBeUndefined();
    await bed.send(bob, bob.activity('Delete', quoteAuthorization));
    expect(quoteOf(note)).toMatchObject({ state: 'accepted' });
    await bed.know(carol);
    await bed.send(carol, carol.activity('Delete', { id: quoteAuthorization, type: 'QuoteAuthorization' }));
    expect(quoteOf(note)).toMatchObject({ state: 'revoked' });
    expect(view(bed.stored(quoted.id)!.id).counters.quotes).toBe(0);
  });

  it('is a quote of its own without anybody having to agree', async () => {
    const { bed, bob, quoteOf } = await withCarol();
    const [first, second] = [bob.note('first'), bob.note('second', { _misskey_quote: bob.note('first').id })];
    for (const note of [first, second]) await bed.send(bob, bob.create(note));
    expect(quoteOf(second)).toMatchObject({ statusId: bed.stored(first.id)?.id, state: 'accepted' });
  });

  it('is a status all the same where what it quotes is not to be had', async () => {
    const { bed, bob, note, quoted } = await withCarol();
    bed.web.set(String(quoted.id), 'unreachable');
    await bed.send(bob, bob.create(note));
    expect(bed.stored(note.id)).toMatchObject({ quote: undefined });
  });

  it.each([
    ['automaticApproval', 'manualApproval'],
    ['always', 'approvalRequired'],
  ])('has a policy by %s and %s', async (automatic, manual) => {
    const { bed, bob } = await withCarol();
    const canQuote = {
      [automatic]: [bob.uri],
      [manual]: [`${bob.uri}/following`, 'https://third.example/users/carol'],
    };
    const note = bob.note('policy', { interactionPolicy: { canQuote } });
    await bed.send(bob, bob.create(note));
    expect(bed.stored(note.id)?.quoteApproval).toEqual({ automatic: [], manual: ['following', 'unsupported_policy'] });
    const open = { canQuote: { automaticApproval: publicAudience } };
    await bed.send(bob, bob.activity('Update', { ...note, interactionPolicy: open }));
    expect(bed.stored(note.id)?.quoteApproval).toEqual({ automatic: ['public'], manual: [] });
  });
});

describe('a local status that quotes a remote one', () => {
  async function asking(canQuote: object = { automaticApproval: [publicAudience] }) {
    const made = await bedOfAlice();
    const { bed, alice, bob, as, view } = made;
    await bed.follow(alice, bob);
    const quoted = bob.note('quoted', { interactionPolicy: { canQuote } });
    await bed.send(bob, bob.create(quoted));
    const { statusId: quotedStatusId, ...given } = {
      statusId: bed.stored(quoted.id)!.id,
      text: 'Look',
      spoilerText: '',
    };
    const { statusId } = await publishStatus(as(), { ...given, quotedStatusId });
    const uri = `${home}/users/alice/statuses/${statusId}`;
    const stamp = 'https://remote.example/stamps/1';
    const asked = { id: `${uri}/quote_request`, type: 'QuoteRequest', actor: `${home}/users/alice` };
    const object = { ...asked, object: quoted.id, instrument: uri };
    const quote = () => view(statusId).status.quote;
    return { ...made, quoted, quotedStatusId, statusId, uri, stamp, object, quote };
  }

  it('waits for the answer of its server, which has the status with the request', async () => {
    const { quoted, uri, object, quote, sent } = await asking();
    expect(quote()).toMatchObject({ state: 'pending' });
    const note = { id: uri, quote: quoted.id, quoteUri: quoted.id, quoteUrl: quoted.id, _misskey_quote: quoted.id };
    const instrument = expect.objectContaining({ ...note, content: expect.stringContaining('RE: ') });
    expect(sent()).toContainEqual(expect.objectContaining({ ...object, instrument }));
    const create = sent().find(({ type }) => type === 'Create');
    expect(create?.object).not.toHaveProperty('quoteAuthorization');
  });

  it.each<[string, (object: { id: string }) => unknown]>([
    ['whole', (object) => object],
    ['by its id', ({ id }) => id],
    ['without an id', ({ id: _id, ...object }) => object],
  ])('is shown when the request is accepted, named %s', async (_what, named) => {
    const { bed, bob, view, quotedStatusId, stamp, object, quote, sent } = await asking();
    await bed.send(bob, bob.activity('Accept', named(object), { result: stamp }));
    expect(quote()).toMatchObject({ state: 'accepted', authorizationUri: stamp });
    expect(view(quotedStatusId).counters.quotes).toBe(1);
    const note = expect.objectContaining({ quoteAuthorization: stamp });
    expect(sent()).toContainEqual(expect.objectContaining({ type: 'Update', object: note }));
  });

  it.each<[string, (stamp: string) => Record<string, unknown>, 'bob' | 'mallory']>([
    ['by somebody else', (result) => ({ result }), 'mallory'],
    ['without an authorization', () => ({}), 'bob'],
    ['with an authorization of another host', () => ({ result: 'https://evil.example/stamps/1' }), 'bob'],
  ])('waits on where it is accepted %s', async (_what, more, who) => {
    const { bed, bob, stamp, object, quote } = await asking();
    const sender = who === 'bob' ? bob : bed.person('evil.example', 'mallory');
    await bed.send(sender, sender.activity('Accept', object, more(stamp)));
    expect(quote()).toMatchObject({ state: 'pending' });
  });

  it('is refused by a Reject, and taken back by one later, or by the Delete of the authorization', async () => {
    const first = await asking();
    await first.bed.send(first.bob, first.bob.activity('Reject', first.object));
    expect(first.quote()).toMatchObject({ state: 'rejected' });
    const { bed, bob, view, quotedStatusId, stamp, object, quote, sent } = await asking();
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    await bed.send(bob, bob.activity('Delete', stamp));
    expect(quote()).toMatchObject({ state: 'revoked' });
    expect(view(quotedStatusId).counters.quotes).toBe(0);
    const last = sent().findLast(({ type }) => type === 'Update');
    expect(last?.object).not.toHaveProperty('quoteAuthorization');
  });

  it('is refused at once where the policy says so', async () => {
    await expect(asking({ automaticApproval: ['https://remote.example/users/bob'] })).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  it('says that what it quoted is gone', async () => {
    const { bed, bob, quoted, stamp, object, quote, statusId, fetched } = await asking();
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    await bed.send(bob, bob.activity('Delete', quoted.id));
    expect(quote()).toMatchObject({ state: 'deleted' });
    expect((await fetched(`/users/alice/statuses/${statusId}`)).body).toMatchObject({ quote: { type: 'Tombstone' } });
  });
});

it('a document says who may quote the status', async () => {
  const { post, fetched } = await bedOfAlice();
  const policyOf = async (more: Partial<PublishStatus>) => {
    const { uri } = await post(more);
    return ((await fetched(uri.slice(home.length))).body as { interactionPolicy: unknown }).interactionPolicy;
  };
  const canQuote = (...automaticApproval: string[]) => ({ canQuote: { automaticApproval } });
  expect(await policyOf(everybody)).toEqual(canQuote(publicAudience));
  const followers = { quoteApproval: { automatic: ['followers' as const], manual: [] } };
  expect(await policyOf(followers)).toEqual(canQuote(`${home}/users/alice/followers`));
  expect(await policyOf({})).toEqual(canQuote(`${home}/users/alice`));
});

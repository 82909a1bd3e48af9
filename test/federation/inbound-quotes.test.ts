/** Quotes between servers (FEP-044f and the properties before it), with documents as other servers send them. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';
import { revokeQuote } from '../../src/operations/quotes/revoke-quote.ts';
import { publishStatus } from '../../src/operations/statuses/publish-status.ts';
import { home, publicAudience, type RemotePerson } from './inbound-bed.ts';
import { bedOfAlice, everybody } from './quotes-bed.ts';

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

  it.each<[string, (bed: Awaited<ReturnType<typeof bedOfAlice>>) => Promise<unknown>, string[]]>([
    [
      'who treats bots otherwise',
      ({ bed, alice }) => bed.gateway.actors.call(Account.changeNotificationPolicy.to(alice, { forBots: 'filter' })),
      ['(quote)'],
    ],
    [
      'who hides the server of the sender',
      ({ bed, alice }) =>
        bed.gateway.actors.call(Account.blockDomain.to(alice, { domain: 'remote.example', followed: [] })),
      [],
    ],
  ])('is not told to an author %s', async (_whom, choose, expected) => {
    const found = await bedOfAlice();
    const { bed, bob, post, notified, quoteOf } = found;
    bed.web.set(bob.uri, { ...bob.document, type: 'Service' });
    const { uri } = await post();
    await choose(found);
    const note = bob.note('quote', { quote: uri, quoteUri: uri });
    await bed.send(bob, request(bob, uri, note));
    expect([quoteOf(note)?.state, notified()]).toEqual(['accepted', expected]);
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

  it('is refused while the author is suspended, and accepted after that', async () => {
    const { bed, alice, bob, sent, post, fetched, quoteOf } = await bedOfAlice();
    await fetched('/users/alice');
    const { uri } = await post();
    const note = bob.note('quote', { quote: uri });
    const suspend = (suspended: boolean) => bed.gateway.actors.call(Account.changeLogin.to(alice, { suspended }));
    await suspend(true);
    await bed.send(bob, request(bob, uri, note));
    expect(quoteOf(note)).toMatchObject({ state: 'rejected' });
    const answers = () => sent().map(({ type }) => type);
    expect(answers()).toEqual(expect.not.arrayContaining(['Accept']));
    await suspend(false);
    await bed.send(bob, { ...request(bob, uri, note), id: `${bob.uri}#requests/2` });
    expect(quoteOf(note)).toMatchObject({ state: 'accepted' });
    expect(answers()).toContain('Accept');
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

  it('holds until the author revokes it: the authorization is gone, and its server is told', async () => {
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

  it('is not shown with an authorization that is that of another quote', async () => {
    const { bed, bob, as, view, quoted, quotedStatusId, stamp, object, quote } = await asking();
    const again = await publishStatus(as(), { text: 'Look again', spoilerText: '', quotedStatusId });
    const uri = `${home}/users/alice/statuses/${again.statusId}`;
    const second = { ...object, id: `${uri}/quote_request`, instrument: uri };
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    await bed.send(bob, bob.activity('Accept', second, { result: stamp }));
    const states = () => [quote()?.state, view(again.statusId).status.quote?.state];
    const quotes = () => view(bed.stored(quoted.id)!.id).counters.quotes;
    expect([...states(), quotes()]).toEqual(['accepted', 'revoked', 1]);
    await bed.send(bob, bob.activity('Delete', stamp));
    expect([...states(), quotes()]).toEqual(['revoked', 'revoked', 0]);
  });

  it('is refused at once where the policy says so', async () => {
    await expect(asking({ automaticApproval: ['https://remote.example/users/bob'] })).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  it('is a reason to notify its author when what it quotes is edited there', async () => {
    const { bed, bob, quoted, stamp, object, notified } = await asking();
    await bed.send(bob, bob.activity('Accept', object, { result: stamp }));
    expect(notified()).toEqual([]);
    const edited = { ...quoted, content: '<p>Otherwise</p>', updated: '2025-01-01T12:30:00Z' };
    await bed.send(bob, bob.activity('Update', edited));
    expect(notified()).toEqual(['quoted_update']);
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

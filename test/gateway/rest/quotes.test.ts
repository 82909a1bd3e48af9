/** Quotes through the API (behaviour of the Mastodon API): who may quote a status, and who is shown which quote. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { authorizedQuote } from '../../../src/actors/account/quotes/quotes.queries.ts';
import { updateCredentials } from '../../../src/gateway/rest/accounts/update-credentials.ts';
import { getPreferences } from '../../../src/gateway/rest/instance/get-preferences.ts';
import { getQuotes, postRevoke, putInteractionPolicy } from '../../../src/gateway/rest/quotes/quotes.endpoints.ts';
import { removeStatus } from '../../../src/gateway/rest/statuses/delete-status.ts';
import { getStatus } from '../../../src/gateway/rest/statuses/get-status.ts';
import { getStatusHistory } from '../../../src/gateway/rest/statuses/get-status-history.ts';
import { postStatus } from '../../../src/gateway/rest/statuses/post-status.ts';
import { putStatus } from '../../../src/gateway/rest/statuses/put-status.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { outcomeOf } from '../../support/outcome.ts';
import { plainPost } from '../../support/plain-post.ts';

type Entity = Record<string, unknown>;

let { people, api, alice, bob, carol } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob, carol } = await newPeople());
});

async function post(by: Person, given: object = {}): Promise<Entity & { id: string }> {
  people.server.clock.advance(1_000);
  return (await api.ask(postStatus, by, { status: 'Look', ...given })).body as Entity & { id: string };
}

const quote = (by: Person, quotedId: string, given: object = {}) => post(by, { quoted_status_id: quotedId, ...given });
const show = async (id: string, viewer: Person | undefined) => (await api.ask(getStatus, viewer, { id })).body;
const quoteIn = async (id: string, viewer: Person | undefined) => (await show(id, viewer)).quote as Entity;
const heard = (person: Person) => people.notificationsOf(person).map(({ type, fromId }) => [type, fromId]);
const settled = () => people.server.settle();

describe('a quote', () => {
  test('shows what is quoted, counts, and tells its author', async () => {
    const quoted = await post(alice, { status: 'Original' });
    const answer = await quote(bob, quoted.id);
    const original = { id: quoted.id, content: '<p>Original</p>', quotes_count: 1, quote: null, reblog: null };
    expect(answer.quote).toMatchObject({ state: 'accepted', quoted_status: { ...original, quotes_count: 1 } });
    expect(answer.content).toBe(
      `<p class="quote-inline">RE: ${link(`here.example/@alice/${quoted.id}`)}</p><p>Look</p>`,
    );
    expect(people.statusRecord(BigInt(answer.id))!.content).not.toContain('here.example');
    for (const viewer of [undefined, alice, carol])
      expect(await quoteIn(answer.id, viewer)).toMatchObject({ state: 'accepted', quoted_status: original });
    expect(heard(alice)).toEqual([['quote', bob.id]]);
    expect(people.notificationsOf(alice)[0]?.statusId).toBe(BigInt(answer.id));
    people.expectSound();
  });

  test('needs no text of its own; a content warning stays one', async () => {
    const quoted = await post(alice);
    const content = `<p class="quote-inline">RE: ${link(`here.example/@alice/${quoted.id}`)}</p>`;
    const answer = await quote(bob, quoted.id, { status: '', spoiler_text: 'Rain' });
    expect(answer).toMatchObject({ content, spoiler_text: 'Rain', sensitive: true });
    const edited = await api.ask(putStatus, bob, { id: answer.id, status: ' ' });
    expect(edited.body).toMatchObject({ content, spoiler_text: '' });
  });

  test('inside a quote is told by its id alone', async () => {
    const first = await post(alice);
    const second = await quote(bob, first.id);
    const third = await quote(carol, second.id);
    const shallow = { state: 'accepted', quoted_status_id: first.id };
    expect(await quoteIn(third.id, alice)).toMatchObject({ quoted_status: { id: second.id, quote: shallow } });
    await api.ask(removeStatus, alice, { id: first.id });
    settled();
    const gone = { state: 'deleted', quoted_status_id: null };
    expect(await quoteIn(third.id, alice)).toMatchObject({ quoted_status: { id: second.id, quote: gone } });
    people.expectSound();
  });

  test('of a text that links to it is not linked again, and an edit keeps it', async () => {
    const quoted = await post(alice);
    const address = `https://here.example/@alice/${quoted.id}`;
    const { content, id } = await quote(bob, quoted.id, { status: `See ${address}` });
    expect(content).not.toContain('quote-inline');
    const { body } = await api.ask(putStatus, bob, { id, status: 'Words' });
    expect(body).toMatchObject({ quote: { state: 'accepted' }, content: expect.stringContaining('quote-inline') });
  });

  test.each<[string, object, object]>([
    ['a poll beside it', { poll: { options: ['a', 'b'], expires_in: 3600 } }, { code: 'validation' }],
    ['an author who is not mentioned in private', { visibility: 'direct' }, { code: 'validation' }],
    ['a status that there is not', { quoted_status_id: '1' }, { code: 'notFound' }],
    ['what is no id', { quoted_status_id: 'x' }, { code: 'notFound' }],
  ])('with %s is refused, and nothing is published', async (_what, given, failure) => {
    const quoted = await post(alice);
    await expect(quote(bob, quoted.id, given)).rejects.toMatchObject(failure);
    expect(people.statusEntries(bob)).toEqual([]);
  });
});

test('the history of a status says what it quotes (entities.md: StatusEdit)', async () => {
  const quoted = await post(alice, { status: 'Original' });
  const { id } = await quote(bob, quoted.id);
  await api.ask(putStatus, bob, { id, status: 'Look again' });
  const historyOf = async (statusId: string) =>
    (await api.ask<Entity[]>(getStatusHistory, carol, { id: statusId })).body;
  const original = { state: 'accepted', quoted_status: { id: quoted.id, content: '<p>Original</p>' } };
  expect(await historyOf(id)).toMatchObject([{ quote: original }, { quote: original }]);
  expect(await historyOf(quoted.id)).toEqual([expect.not.objectContaining({ quote: expect.anything() })]);
  await people.server.call(Account.block.to(alice.id, { targetId: carol.id }));
  const hidden = { state: 'unauthorized', quoted_status: null };
  expect(await historyOf(id)).toMatchObject([{ quote: hidden }, { quote: hidden }]);
});

test('a status that is scheduled says what it will quote, and who may quote it', async () => {
  const quoted = await post(alice);
  const scheduled_at = new Date(people.server.clock.now() + 3_600_000).toISOString();
  const given = { quoted_status_id: quoted.id, quote_approval_policy: 'followers', scheduled_at };
  expect((await post(bob, given)).params).toMatchObject({
    quoted_status_id: quoted.id,
    quote_approval_policy: 'followers',
  });
  expect((await post(bob, { scheduled_at })).params).toMatchObject({ quoted_status_id: null });
});

describe('may be quoted', () => {
  const mayQuote = async (by: Person, quotedId: string) => {
    const result = await quote(by, quotedId).catch(({ code }: { code: string }) => code);
    return typeof result === 'string' ? result : (result.quote as Entity).state;
  };

  test.each<[string, object, Record<'alice' | 'bob' | 'carol', string>]>([
    ['public', {}, { alice: 'accepted', bob: 'accepted', carol: 'accepted' }],
    ['by followers', { quote_approval_policy: 'followers' }, { alice: 'accepted', bob: 'accepted', carol: 'notFound' }],
    ['by nobody', { quote_approval_policy: 'nobody' }, { alice: 'accepted', bob: 'notFound', carol: 'notFound' }],
    ['unlisted', { visibility: 'unlisted' }, { alice: 'accepted', bob: 'accepted', carol: 'accepted' }],
    ['private', { visibility: 'private' }, { alice: 'accepted', bob: 'notFound', carol: 'notFound' }],
    ['direct', { visibility: 'direct', status: '@bob hi' }, { alice: 'notFound', bob: 'notFound', carol: 'notFound' }],
  ])('a status that is %s', async (_what, given, outcome) => {
    await people.follow(bob, alice);
    const quoted = await post(alice, given);
    const said = { notFound: 'denied', accepted: 'automatic' } as Record<string, string>;
    for (const person of [alice, bob, carol]) {
      const expected = outcome[person.name as keyof typeof outcome];
      if ((await outcomeOf(show(quoted.id, person))) === 'answered')
        expect([person.name, (await show(quoted.id, person)).quote_approval]).toMatchObject([
          person.name,
          { current_user: said[expected] },
        ]);
      expect([person.name, await mayQuote(person, quoted.id)]).toEqual([person.name, expected]);
    }
    people.expectSound();
  });

  test('by nobody who is blocked, in either direction', async () => {
    const quoted = await post(alice);
    await people.block(alice, bob);
    await people.block(carol, alice);
    for (const person of [bob, carol]) expect(await mayQuote(person, quoted.id)).toBe('notFound');
  });

  test('by whom the account lets by default, and without a user by nobody', async () => {
    await api.ask(updateCredentials, alice, { source: { quote_policy: 'followers' } });
    expect((await api.ask(getPreferences, alice)).body['posting:default:quote_policy']).toBe('followers');
    const { id } = await post(alice);
    const approval = { automatic: ['followers'], manual: [] };
    expect((await show(id, carol)).quote_approval).toEqual({ ...approval, current_user: 'denied' });
    expect((await show(id, undefined)).quote_approval).toEqual({ ...approval, current_user: 'denied' });
    await people.follow(carol, alice);
    expect((await show(id, carol)).quote_approval).toEqual({ ...approval, current_user: 'automatic' });
  });

  test('as its author changes it, by an edit as well; what quotes it already stays', async () => {
    const quoted = await post(alice);
    const { id } = await quote(bob, quoted.id);
    const given = { id: quoted.id, quote_approval_policy: 'nobody' };
    expect((await api.ask(putInteractionPolicy, alice, given)).body).toMatchObject({
      edited_at: null,
      quote_approval: { automatic: [], current_user: 'automatic' },
    });
    expect(await mayQuote(carol, quoted.id)).toBe('notFound');
    expect(await quoteIn(id, carol)).toMatchObject({ state: 'accepted' });
    await expect(api.ask(putInteractionPolicy, bob, given)).rejects.toMatchObject({ code: 'notFound' });
    const open = { id: quoted.id, status: 'Look', quote_approval_policy: 'public' };
    expect((await api.ask(putStatus, alice, open)).body).toMatchObject({ quote_approval: { automatic: ['public'] } });
    expect(await mayQuote(carol, quoted.id)).toBe('accepted');
  });

  test('in private, what is private: the quote is for followers at most', async () => {
    const { id } = await post(alice, { visibility: 'private' });
    expect(await quote(alice, id, { visibility: 'public' })).toMatchObject({ visibility: 'private' });
    expect(await quote(alice, id, { visibility: 'direct' })).toMatchObject({ visibility: 'direct' });
  });
});

describe('who looks at a quote', () => {
  const hidden = (state: string) => ({ state, quoted_status: null });
  let quotedId: string;
  let id: string;

  beforeEach(async () => {
    quotedId = (await post(alice)).id;
    id = (await quote(bob, quotedId)).id;
  });

  test('and blocks the quoted author sees that, and no more', async () => {
    await people.block(carol, alice);
    expect(await quoteIn(id, carol)).toEqual(hidden('blocked_account'));
  });

  test('and is blocked by the quoted author is not told', async () => {
    await people.block(alice, carol);
    expect(await quoteIn(id, carol)).toEqual(hidden('unauthorized'));
  });

  test('and mutes the quoted author may still look', async () => {
    await people.mute(carol, alice);
    expect(await quoteIn(id, carol)).toMatchObject({ state: 'muted_account', quoted_status: { id: quotedId } });
  });

  test('and hides the server of the quoted author may still look', async () => {
    const rita = people.remote('rita', 'there.test');
    const { id: far } = await people.receive(rita, 'https://there.test/1');
    const post = plainPost('See', { quote: { statusId: far, accountId: rita.id, state: 'accepted' } });
    const { statusId } = await people.server.call(Account.publish.to(bob.id, post));
    expect(await quoteIn(`${statusId}`, carol)).toMatchObject({ state: 'accepted', quoted_status: { id: `${far}` } });
    await people.server.call(Account.blockDomain.to(carol.id, { domain: 'there.test', followed: [] }));
    const hiddenServer = { state: 'blocked_domain', quoted_status: { id: `${far}` } };
    expect(await quoteIn(`${statusId}`, carol)).toMatchObject(hiddenServer);
    // The server is said first, as in Mastodon.
    await people.mute(carol, rita);
    expect(await quoteIn(`${statusId}`, carol)).toMatchObject(hiddenServer);
  });

  test('and may not see what is quoted, does not', async () => {
    const secret = (await post(alice, { visibility: 'private' })).id;
    await people.follow(bob, alice);
    const own = (await quote(alice, secret, { visibility: 'private' })).id;
    expect(await quoteIn(own, bob)).toMatchObject({ state: 'accepted', quoted_status: { id: secret } });
    const open = plainPost('See', { quote: { statusId: BigInt(secret), accountId: alice.id, state: 'accepted' } });
    const { statusId } = await people.server.call(Account.publish.to(alice.id, open));
    for (const viewer of [carol, undefined])
      expect(await quoteIn(String(statusId), viewer)).toEqual(hidden('unauthorized'));
  });

  test('finds it among the quotes, as far as it is for them', async () => {
    const secret = (await quote(carol, quotedId, { visibility: 'private' })).id;
    const later = (await quote(bob, quotedId)).id;
    const listed = async (viewer: Person, given = {}) => api.ask(getQuotes, viewer, { id: quotedId, ...given });
    expect(idsIn((await listed(carol)).body)).toEqual([later, secret, id]);
    expect(idsIn((await listed(alice)).body)).toEqual([later, id]);
    const first = await listed(alice, { limit: '1' });
    expect(idsIn(first.body)).toEqual([later]);
    expect(idsIn((await listed(alice, { limit: '1', ...first.links.next })).body)).toEqual([id]);
    await people.block(alice, bob);
    expect(idsIn((await listed(alice)).body)).toEqual([]);
  });
});

describe('a quote ends', () => {
  let quotedId: string;
  let id: string;
  const revoke = (by: Person) => api.ask(postRevoke, by, { id: quotedId, quoting_status_id: id });
  const counted = async () => (await show(quotedId, carol)).quotes_count;

  beforeEach(async () => {
    quotedId = (await post(alice)).id;
    id = (await quote(bob, quotedId)).id;
  });

  test('when the quoted author takes it back, for good', async () => {
    const { body } = await revoke(alice);
    expect(body).toMatchObject({ id, quote: { state: 'revoked', quoted_status: null } });
    expect(await counted()).toBe(0);
    expect(heard(alice)).toEqual([]);
    expect(idsIn((await api.ask(getQuotes, carol, { id: quotedId })).body)).toEqual([]);
    expect(authorizedQuote(people.server.read, alice.id, BigInt(id))).toBeUndefined();
    expect((await revoke(alice)).body).toMatchObject({ quote: { state: 'revoked' } });
    await api.ask(putStatus, bob, { id, status: 'Again' });
    expect(await quoteIn(id, carol)).toEqual({ state: 'revoked', quoted_status: null });
    people.expectSound();
  });

  test('by nobody else', async () => {
    expect(authorizedQuote(people.server.read, alice.id, BigInt(id))).toBe(BigInt(quotedId));
    await expect(revoke(bob)).rejects.toMatchObject({ code: 'forbidden' });
    const other = await post(alice);
    const given = { id: other.id, quoting_status_id: id };
    await expect(api.ask(postRevoke, alice, given)).rejects.toMatchObject({ code: 'notFound' });
    expect(await quoteIn(id, carol)).toMatchObject({ state: 'accepted' });
  });

  test('when it is deleted', async () => {
    await api.ask(removeStatus, bob, { id });
    settled();
    expect(await counted()).toBe(0);
    expect(heard(alice)).toEqual([]);
    people.expectSound();
  });

  test('when what it quotes is deleted', async () => {
    await api.ask(removeStatus, alice, { id: quotedId });
    settled();
    expect(await quoteIn(id, carol)).toEqual({ state: 'deleted', quoted_status: null });
    people.expectSound();
  });
});

test('who quotes a status hears of its edits, by the quote, until that is revoked', async () => {
  const quoted = await post(alice);
  const { id } = await quote(bob, quoted.id);
  await api.ask(putStatus, alice, { id: quoted.id, status: 'Otherwise' });
  settled();
  expect(people.notificationsOf(bob)).toEqual([{ type: 'quoted_update', fromId: alice.id, statusId: BigInt(id) }]);
  expect(await quoteIn(id, carol)).toMatchObject({ quoted_status: { content: '<p>Otherwise</p>' } });
  await api.ask(putStatus, alice, { id: quoted.id, status: 'And once more' });
  settled();
  expect(people.notificationsOf(bob)).toHaveLength(1);
  await quote(carol, quoted.id);
  await api.ask(postRevoke, alice, { id: quoted.id, quoting_status_id: id });
  await api.ask(putStatus, alice, { id: quoted.id, status: 'Otherwise again' });
  settled();
  expect([bob, carol].map((person) => heard(person).length)).toEqual([1, 1]);
});

test('a quote that its author could no longer make is refused, whatever was known before', async () => {
  const quoted = await post(alice, { quote_approval_policy: 'nobody' });
  const [statusId, quoteId] = [BigInt(quoted.id), BigInt((await post(bob)).id)];
  const message = Account.quoted.to(alice.id, { statusId, quoteId, by: bob.id, isAccepted: true });
  await people.server.call(message);
  expect((await show(quoted.id, carol)).quotes_count).toBe(0);
  expect(heard(alice)).toEqual([]);
});

function link(address: string): string {
  const [shown, rest] = [address.slice(0, 30), address.slice(30)];
  return (
    `<a href="https://${address}" target="_blank" rel="nofollow noopener noreferrer" translate="no">` +
    `<span class="invisible">https://</span><span class="${rest === '' ? '' : 'ellipsis'}">${shown}</span>` +
    `<span class="invisible">${rest}</span></a>`
  );
}

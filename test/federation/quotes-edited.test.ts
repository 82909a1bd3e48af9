/** Edits that take the quote out of a status of another server, or put another one in. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { versionsOf } from '../../src/actors/account/statuses/status-versions.queries.ts';
import { revokeQuote } from '../../src/operations/quotes/revoke-quote.ts';
import { bedOfAlice } from './quotes-bed.ts';

const updated = (minute: number) => `2025-01-01T11:${minute}:00Z`;

/** Bob quotes a post of Alice, who allows it. */
async function quotedAlice() {
  const made = await bedOfAlice();
  const { bed, bob, view, post } = made;
  const { statusId, uri } = await post();
  const quote = (quoted: unknown, more: object = {}) => bob.note('quote', { quote: quoted, ...more });
  await bed.send(bob, bob.activity('QuoteRequest', uri, { instrument: quote(uri) }));
  const edit = (minute: number, quoted?: unknown) =>
    bed.send(bob, bob.activity('Update', quote(quoted, { content: `<p>${minute}</p>`, updated: updated(minute) })));
  const quotes = (of = statusId) => view(of).counters.quotes;
  return { ...made, statusId, uri, quote, edit, quotes, quoteId: () => bed.stored(quote(uri).id)!.id };
}

describe('an edit', () => {
  it('without the quote takes it away, from who is quoted too', async () => {
    const { bed, statusId, uri, quote, edit, quotes, quoteOf, quoteId, fetched, authorization, notified } =
      await quotedAlice();
    expect(quotes()).toBe(1);
    await edit(30);
    expect(quoteOf(quote(uri))).toBeUndefined();
    expect(quotes()).toBe(0);
    expect(notified()).toEqual([]);
    expect((await fetched(authorization(quoteId()))).status).toBe(404);
    const versions = versionsOf(bed.read, bed.stored(quote(uri).id)!);
    expect(versions.map(({ quotedStatusId }) => quotedStatusId)).toEqual([statusId, undefined]);
  });

  it('that changes nothing else is one', async () => {
    const { bed, bob, uri, quote, quoteOf } = await quotedAlice();
    await bed.send(bob, bob.activity('Update', quote(undefined, { updated: updated(30) })));
    expect(quoteOf(quote(uri))).toBeUndefined();
    expect(bed.stored(quote(uri).id)?.editedAt).toBe(Date.parse(updated(30)));
  });

  it('with the quote keeps it', async () => {
    const { uri, quote, edit, quotes, quoteOf } = await quotedAlice();
    await edit(30, uri);
    expect(quoteOf(quote(uri))).toMatchObject({ state: 'accepted' });
    expect(quotes()).toBe(1);
  });

  it('with a Tombstone in its place keeps it', async () => {
    const { uri, quote, edit, quoteOf } = await quotedAlice();
    await edit(30, { type: 'Tombstone' });
    expect(quoteOf(quote(uri))).toMatchObject({ state: 'accepted' });
  });

  it('that is older than the last one changes nothing', async () => {
    const { uri, quote, edit, quoteOf } = await quotedAlice();
    await edit(30, uri);
    await edit(20);
    expect(quoteOf(quote(uri))).toMatchObject({ state: 'accepted' });
  });

  it('puts another one in its place', async () => {
    const { uri, quote, edit, quotes, quoteOf, post, notified } = await quotedAlice();
    const other = await post();
    await edit(30, other.uri);
    expect(quoteOf(quote(uri))).toMatchObject({ statusId: other.statusId, state: 'accepted' });
    expect([quotes(), quotes(other.statusId)]).toEqual([0, 1]);
    expect(notified()).toEqual(['quote']);
  });

  it('takes it away for one that cannot be fetched', async () => {
    const { uri, quote, edit, quotes, quoteOf } = await quotedAlice();
    await edit(30, 'https://third.example/notes/unknown');
    expect(quoteOf(quote(uri))).toBeUndefined();
    expect(quotes()).toBe(0);
  });

  it('does not bring back one that was revoked', async () => {
    const { statusId, uri, quote, edit, quotes, quoteOf, quoteId, as } = await quotedAlice();
    await revokeQuote(as(), { statusId, quoteId: quoteId() });
    await edit(30);
    expect(quoteOf(quote(uri))).toBeUndefined();
    await edit(40, uri);
    expect(quoteOf(quote(uri))).toMatchObject({ state: 'revoked' });
    expect(quotes()).toBe(0);
  });

  it('keeps one whose status was deleted here', async () => {
    const { bed, alice, statusId, uri, quote, edit, quoteOf } = await quotedAlice();
    await bed.gateway.actors.call(Account.deleteStatus.to(alice, { statusId, destinations: [] }));
    await edit(30, uri);
    expect(quoteOf(quote(uri))).toMatchObject({ state: 'deleted' });
  });
});

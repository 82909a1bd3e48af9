/**
 * Quotes of a remote status by another remote status (FEP-044f): accepted while the quoted author's server authorises
 * them.
 */
import { describe, expect, it } from 'vitest';
import { refreshQuoteWhenOld } from '../../src/federation/remote-objects/refresh-when-old.ts';
import { publicAudience } from './inbound-bed.ts';
import { bedOfAlice } from './quotes-bed.ts';

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

  const week = 7 * 24 * 60 * 60 * 1000;

  /** Bob's quote after a week, which somebody has looked at since. */
  async function lookedAtLater(change: (made: Awaited<ReturnType<typeof withCarol>>) => void) {
    const made = await withCarol();
    const { bed, bob, note } = made;
    await bed.send(bob, bob.create(note));
    const look = async () => {
      refreshQuoteWhenOld(bed.gateway.services, bed.stored(note.id)!, {});
      bed.gateway.actors.settle();
      await bed.runEffects();
    };
    bed.asked.length = 0;
    await look();
    expect(bed.asked).toEqual([]);
    change(made);
    bed.gateway.actors.clock.advance(week);
    await look();
    await look();
    return made;
  }

  it.each<[string, (made: Awaited<ReturnType<typeof withCarol>>) => void, string, number]>([
    ['stands', () => undefined, 'accepted', 1],
    ['is gone', ({ bed, quoteAuthorization }) => bed.web.delete(quoteAuthorization), 'revoked', 0],
    [
      'is for another quote',
      ({ bed, quoteAuthorization }) => {
        const stamp = bed.web.get(quoteAuthorization) as object;
        bed.web.set(quoteAuthorization, { ...stamp, interactingObject: 'https://remote.example/notes/other' });
      },
      'revoked',
      0,
    ],
    ['is out of reach', ({ bed, quoteAuthorization }) => bed.web.set(quoteAuthorization, 'unreachable'), 'accepted', 1],
  ])('is verified again once a week: its authorization %s', async (_what, change, state, quotes) => {
    const { bed, view, note, quoted, quoteAuthorization, quoteOf } = await lookedAtLater(change);
    expect(bed.asked.filter((address) => address === quoteAuthorization)).toHaveLength(1);
    expect(quoteOf(note)).toMatchObject({ state });
    expect(view(bed.stored(quoted.id)!.id).counters.quotes).toBe(quotes);
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

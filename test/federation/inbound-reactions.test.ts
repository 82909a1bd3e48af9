import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findStatus } from '../../src/actors/account/status-views.queries.ts';
import { mergedHome } from '../support/merged-home.ts';
import { home, InboundBed, publicAudience } from './inbound-bed.ts';

async function published(visibility: 'public' | 'unlisted' | 'private' | 'direct' = 'public') {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const statusId = await bed.publish(alice, 'Hello', { visibility });
  const uri = `${home}/users/alice/statuses/${statusId}`;
  const counters = () => findStatus(bed.read, statusId)?.counters;
  return { bed, alice, bob, statusId, uri, counters };
}

const boosted = { to: [publicAudience], cc: [], published: '2025-01-01T11:30:00Z' };

it.each([
  ['Like', {}, { favourites: 1 }],
  ['Announce', { to: [publicAudience] }, { reblogs: 1 }],
])('a %s that has one id for ever, as of snac, counts again after its Undo', async (type, more, counted) => {
  const { bed, bob, uri, counters } = await published();
  const act = bob.activity(type, uri, more);
  for (let round = 0; round < 3; round += 1) {
    expect(await bed.send(bob, act)).toBe(202);
    expect(counters()).toMatchObject(counted);
    await bed.send(bob, { ...bob.activity('Undo', act), id: `https://remote.example/undo/${round}` });
    expect(counters()).toMatchObject({ favourites: 0, reblogs: 0 });
    bed.gateway.actors.clock.advance(2_000);
  }
});

describe('a like', () => {
  it.each([
    ['of the URI', (id: bigint) => `${home}/users/alice/statuses/${id}`],
    ['of the page', (id: bigint) => `${home}/@alice/${id}`],
    ['of the object', (id: bigint) => ({ type: 'Note', id: `${home}/users/alice/statuses/${id}` })],
  ])('%s counts, until it is undone', async (_name, objectOf) => {
    const { bed, bob, statusId, counters } = await published();
    const like = bob.activity('Like', objectOf(statusId));
    expect(await bed.send(bob, like)).toBe(202);
    expect(counters()?.favourites).toBe(1);
    await bed.send(bob, bob.activity('Undo', like));
    expect(counters()?.favourites).toBe(0);
  });

  it('with an emoji, as Misskey sends it, counts as one', async () => {
    const { bed, bob, uri, counters } = await published();
    await bed.send(bob, bob.activity('Like', uri, { content: '❤', _misskey_reaction: '❤' }));
    expect(counters()?.favourites).toBe(1);
  });

  it('is what several reactions of one person are, until the first is undone', async () => {
    const { bed, bob, uri, counters } = await published();
    const [fox, cat] = ['🦊', '🐈'].map((content) => ({
      ...bob.activity('EmojiReact', uri, { content }),
      id: `https://remote.example/reactions/${content}`,
    }));
    const steps: [object, number][] = [
      [fox!, 1],
      [cat!, 1],
      [bob.activity('Undo', cat), 1],
      [bob.activity('Undo', fox), 0],
    ];
    for (const [activity, favourites] of steps) {
      expect(await bed.send(bob, activity)).toBe(202);
      expect(counters()?.favourites).toBe(favourites);
    }
  });

  it('of a status that its actor may not see does not count', async () => {
    const { bed, bob, uri, counters } = await published('private');
    expect(await bed.send(bob, bob.activity('Like', uri))).toBe(202);
    expect(counters()?.favourites).toBe(0);
  });

  it.each([
    ['a status that is not here', `${home}/users/alice/statuses/1`],
    ['a status under another name', `${home}/users/carol/statuses/`],
    ['a remote status', 'https://third.example/notes/1'],
    ['an account', `${home}/users/alice`],
  ])('of %s changes nothing', async (_name, object) => {
    const { bed, bob, statusId, counters } = await published();
    await bed.local('carol');
    const target = object.endsWith('/') ? `${object}${statusId}` : object;
    expect(await bed.send(bob, bob.activity('Like', target))).toBe(202);
    expect(counters()?.favourites).toBe(0);
  });
});

describe('a boost', () => {
  it('of a local status counts, until it is undone', async () => {
    const { bed, bob, uri, counters } = await published();
    const announce = bob.activity('Announce', uri, boosted);
    expect(await bed.send(bob, announce)).toBe(202);
    expect(counters()?.reblogs).toBe(1);
    expect(bed.stored(announce.id)).toMatchObject({ visibility: 'public', createdAt: Date.UTC(2025, 0, 1, 11, 30) });
    await bed.send(bob, bob.activity('Undo', announce));
    expect(counters()?.reblogs).toBe(0);
    expect(bed.stored(announce.id)).toBeUndefined();
  });

  it('is undone by its id alone, and by deleting it', async () => {
    const { bed, bob, uri, counters } = await published();
    const announce = bob.activity('Announce', uri, boosted);
    await bed.send(bob, announce);
    await bed.send(bob, bob.activity('Undo', announce.id));
    expect(counters()?.reblogs).toBe(0);
    await bed.send(bob, { ...announce, id: `${announce.id}-2` });
    await bed.send(bob, bob.activity('Delete', `${announce.id}-2`));
    expect(counters()?.reblogs).toBe(0);
  });

  it.each(['private', 'direct'] as const)('of a %s status is refused', async (visibility) => {
    const { bed, bob, uri, counters } = await published(visibility);
    await bed.send(bob, bob.activity('Announce', uri, boosted));
    expect(counters()?.reblogs).toBe(0);
  });

  it.each([
    ['public', { to: [publicAudience] }],
    ['unlisted', { to: [], cc: [publicAudience] }],
    ['private', { to: ['https://remote.example/users/bob/followers'] }],
    ['private', { to: [`${home}/users/alice`] }],
  ])('is %s when it is addressed %j', async (visibility, audience) => {
    const { bed, bob, uri } = await published();
    const announce = bob.activity('Announce', uri, audience);
    await bed.send(bob, announce);
    expect(bed.stored(announce.id)?.visibility).toBe(visibility);
  });

  it('by somebody whom the author has blocked neither counts nor stays', async () => {
    const { bed, alice, bob, uri, counters } = await published();
    await bed.gateway.actors.call(Account.block.to(alice, { targetId: await bed.know(bob) }));
    const announce = bob.activity('Announce', uri, boosted);
    expect(await bed.send(bob, announce)).toBe(202);
    expect(counters()?.reblogs).toBe(0);
    expect(bed.stored(announce.id)).toBeUndefined();
  });

  it('of an edit inside a group brings the edit, and boosts nothing', async () => {
    const { bed, alice, bob } = await published();
    const carol = bed.person('third.example', 'carol');
    for (const person of [bob, carol]) await bed.follow(alice, person);
    await bed.send(carol, carol.create(carol.note('original')));
    const edited = carol.note('original', { content: '<p>better</p>', updated: '2025-01-01T11:45:00Z' });
    bed.web.set(String(edited.id), edited);
    const update = { type: 'Update', id: 'https://third.example/u/1', object: { ...edited, content: '<p>forged</p>' } };
    const announce = bob.activity('Announce', update, boosted);
    expect(await bed.send(bob, announce)).toBe(202);
    expect(bed.stored(announce.id)).toBeUndefined();
    expect(bed.stored(edited.id)?.content).toBe('<p>better</p>');
  });

  it('by a followed account brings the boosted status and its author along', async () => {
    const { bed, alice, bob } = await published();
    const carol = bed.person('third.example', 'carol');
    await bed.follow(alice, bob);
    const note = carol.note('original');
    bed.web.set(String(note.id), note);
    const announce = bob.activity('Announce', note.id, boosted);
    expect(await bed.send(bob, announce)).toBe(202);
    expect(bed.stored(note.id)?.content).toBe('<p>original</p>');
    expect(mergedHome(bed.read, alice, { limit: 1 })).not.toEqual([]);
    expect(bed.stored(announce.id)?.reblogOfId).toBe(bed.stored(note.id)?.id);
  });

  it('of a status whose server cannot be reached is tried again later', async () => {
    const { bed, alice, bob } = await published();
    const carol = bed.person('third.example', 'carol');
    await bed.follow(alice, bob);
    const note = carol.note('original');
    bed.web.set(String(note.id), 'unreachable');
    const announce = bob.activity('Announce', note.id, boosted);
    await bed.send(bob, announce);
    expect(bed.stored(announce.id)).toBeUndefined();
    bed.web.set(String(note.id), note);
    bed.gateway.actors.clock.advance(10 * 60_000);
    await bed.runEffects();
    expect(bed.stored(announce.id)).toBeDefined();
  });

  it('is given up after three attempts', async () => {
    const { bed, alice, bob } = await published();
    await bed.follow(alice, bob);
    bed.web.set('https://third.example/notes/1', 'unreachable');
    await bed.send(bob, bob.activity('Announce', 'https://third.example/notes/1', boosted));
    // In steps that leave no runner waiting for so long that it counts as failed.
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      bed.gateway.actors.clock.advance(5 * 60_000);
      await bed.runEffects();
    }
    expect(bed.asked.filter((url) => url === 'https://third.example/notes/1')).toHaveLength(3);
  });

  it('by somebody whom nobody follows, of what is not here, is dropped without a fetch', async () => {
    const { bed, bob } = await published();
    await bed.know(bob);
    bed.asked.length = 0;
    await bed.send(bob, bob.activity('Announce', 'https://third.example/notes/1', boosted));
    expect(bed.asked).toEqual([]);
  });

  it.each([
    ['a status that is shown by a stranger', (note: object) => note],
    [
      'a status inside an activity (FEP-1b12)',
      (note: object) => ({ type: 'Create', id: 'https://third.example/c/1', object: note }),
    ],
  ])('of %s is fetched where it lives', async (_name, objectOf) => {
    const { bed, alice, bob } = await published();
    const carol = bed.person('third.example', 'carol');
    await bed.follow(alice, bob);
    const note = carol.note('original');
    bed.web.set(String(note.id), note);
    await bed.send(bob, bob.activity('Announce', objectOf({ ...note, content: '<p>forged</p>' }), boosted));
    expect(bed.stored(note.id)?.content).toBe('<p>original</p>');
  });

  it('of a like inside a group is ignored', async () => {
    const { bed, alice, bob } = await published();
    await bed.follow(alice, bob);
    bed.asked.length = 0;
    const like = { type: 'Like', id: 'https://third.example/l/1', object: 'https://third.example/notes/1' };
    await bed.send(bob, bob.activity('Announce', like, boosted));
    expect(bed.asked).toEqual([]);
  });

  it('of followers-only posts is for their author alone', async () => {
    const { bed, alice, bob } = await published();
    const carol = bed.person('third.example', 'carol');
    await bed.follow(alice, bob);
    await bed.follow(alice, carol);
    const note = bob.note('mine', { to: [`${bob.uri}/followers`], cc: [] });
    await bed.send(bob, bob.create(note));
    const own = bob.activity('Announce', note.id, { to: [`${bob.uri}/followers`] });
    const foreign = carol.activity('Announce', note.id, boosted);
    await bed.send(bob, own);
    await bed.send(carol, foreign);
    expect(bed.stored(own.id)?.visibility).toBe('private');
    expect(bed.stored(foreign.id)).toBeUndefined();
  });
});

describe('totals that the server of a post tells', () => {
  const told = (likes: unknown, shares: unknown) => ({
    likes: { type: 'Collection', totalItems: likes },
    shares: { id: 'https://remote.example/shares', type: 'OrderedCollection', totalItems: shares },
  });

  async function received(more: object) {
    const bed = new InboundBed();
    const alice = await bed.local('alice');
    const bob = bed.person('remote.example', 'bob');
    await bed.follow(alice, bob);
    const note = bob.note('popular', { ...more });
    await bed.send(bob, bob.create(note));
    const { id: statusId, accountId: authorId } = bed.stored(note.id)!;
    const counters = () => {
      const { favourites, reblogs } = findStatus(bed.read, statusId)!.counters;
      return [favourites, reblogs];
    };
    const favourite = () => bed.gateway.actors.call(Account.favourite.to(authorId, { statusId, by: alice }));
    return { bed, bob, note, counters, favourite };
  }

  it('are shown with what is known here, and are those of its latest document', async () => {
    const { bed, bob, note, counters, favourite } = await received(told(50, 7));
    expect(counters()).toEqual([50, 7]);
    await favourite();
    expect(counters()).toEqual([51, 7]);
    const edited = { ...note, content: '<p>edited</p>', updated: '2025-01-01T11:40:00Z', ...told(55, 3) };
    await bed.send(bob, bob.activity('Update', edited));
    expect(counters()).toEqual([55, 3]);
    await bed.send(bob, bob.activity('Update', { ...edited, updated: '2025-01-01T11:45:00Z', ...told(0, 0) }));
    expect(counters()).toEqual([1, 0]);
  });

  it.each([
    ['addresses', { likes: 'https://remote.example/likes', shares: ['https://remote.example/shares'] }, [0, 0]],
    ['numbers that are none', told('50', -1), [0, 0]],
    ['numbers that nobody believes', told(Number.MAX_SAFE_INTEGER, 1e300), [100_000_000, 0]],
    ['nothing', { likes: null, shares: {} }, [0, 0]],
  ])('that are %s', async (_what, more, shown) => {
    const { counters } = await received(more);
    expect(counters()).toEqual(shown);
  });
});

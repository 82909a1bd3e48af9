/** Threads of remote statuses, fetched from the servers of all who take part. */
import { describe, expect, it } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import { threadOf } from '../../src/actors/account/statuses/statuses.records.ts';
import { repliesTo } from '../../src/actors/account/statuses/threads.queries.ts';
import { inMutedThreads } from '../../src/actors/account/threads/threads.queries.ts';
import { threadLimits } from '../../src/actors/domain/threads/limits.ts';
import { findThreadProgress } from '../../src/actors/domain/threads/threads.queries.ts';
import { fetchThreadWhenOld } from '../../src/federation/remote-objects/fetch-thread-when-old.ts';
import { plainPost } from '../support/plain-post.ts';
import { storedNotifications } from '../support/stored-notifications.ts';
import { home, InboundBed, type RemotePerson } from './inbound-bed.ts';

type Json = Record<string, unknown>;

const minutes = 60_000;
const everybody = 'https://www.w3.org/ns/activitystreams#Public';

/** A status of Bob that is known here, and more people and hosts. */
async function opened(more: Json = {}) {
  const bed = new InboundBed();
  const alice = await bed.local('alice');
  const bob = bed.person('remote.example', 'bob');
  const carol = bed.person('third.example', 'carol');
  await bed.follow(alice, bob);
  const root = bob.note('root', { replies: `${bob.note('root').id}/replies`, ...more });
  await bed.send(bob, bob.create(root));
  serve(bed, root);
  const open = async (uri: unknown = root.id) => {
    const running = await fetchThreadWhenOld(bed.gateway.services, bed.stored(uri)!.id, undefined);
    await bed.runEffects();
    return running;
  };
  const progress = () => findThreadProgress(bed.read, 'remote.example', bed.stored(root.id)!.id);
  return { bed, alice, bob, carol, root, open, progress };
}

function serve(bed: InboundBed, ...documents: Json[]): void {
  for (const document of documents) bed.web.set(String(document.id), document);
}

/** A status with a collection of its replies on two pages, the first of which is in the collection. */
function withReplies(note: Json, first: readonly unknown[], second: readonly unknown[] = []): Json[] {
  const id = `${note.id}/replies`;
  const next = second.length === 0 ? {} : { next: `${id}?page=2` };
  const page = { id: `${id}?page=1`, type: 'CollectionPage', partOf: id, items: first, ...next };
  return [
    { ...note, replies: { id, type: 'Collection', first: page } },
    ...(second.length === 0 ? [] : [{ id: `${id}?page=2`, type: 'CollectionPage', partOf: id, items: second }]),
  ];
}

function answer(person: RemotePerson, name: string, to: Json, more: Json = {}): Json {
  return person.note(name, { inReplyTo: to.id, ...more });
}

describe('replies', () => {
  it('come from the servers of their authors, and replies to them too', async () => {
    const { bed, bob, carol, root, open, progress } = await opened();
    const first = answer(carol, '1', root);
    const second = answer(bob, '2', root);
    const deep = answer(bob, '3', first);
    serve(bed, ...withReplies(root, [first.id], [second.id, first.id]));
    serve(bed, ...withReplies(first, [deep.id]), second, deep);
    const running = await open();
    expect(running).toEqual({ statusId: bed.stored(root.id)!.id, stored: 0 });
    const [one, two, three] = [first, second, deep].map(({ id }) => bed.stored(id)!);
    const rootId = bed.stored(root.id)!.id;
    expect(repliesTo(bed.read, rootId)).toEqual([one!.id, two!.id].sort((a, b) => (a < b ? -1 : 1)));
    expect(repliesTo(bed.read, one!.id)).toEqual([three!.id]);
    expect([one, two, three].map((status) => threadOf(status!))).toEqual([rootId, rootId, rootId]);
    expect(progress()).toEqual({ isRunning: false, stored: 3, isCut: false });
    expect(bed.asked.filter((url) => url === first.id)).toHaveLength(1);
  });

  it('are not asked for again before a quarter of an hour, nor those of a reply in the same thread', async () => {
    const { bed, carol, root, open, progress } = await opened();
    const first = answer(carol, '1', root);
    serve(bed, ...withReplies(root, [first.id]), first);
    await open();
    const asked = bed.asked.length;
    expect(await open()).toBeUndefined();
    expect(await open(first.id)).toBeUndefined();
    expect(bed.asked).toHaveLength(asked);
    bed.gateway.actors.clock.advance(15 * minutes);
    expect(progress()).toBeUndefined();
    expect(await open()).toBeDefined();
    expect(bed.asked.length).toBeGreaterThan(asked);
  });

  it('are not asked for of a status that is new, local or not for everybody', async () => {
    const { bed, alice, bob, open } = await opened();
    const now = new Date(bed.now).toISOString();
    const fresh = bob.note('fresh', { published: now });
    const priv = bob.note('private', { to: [`${bob.uri}/followers`], cc: [] });
    for (const note of [fresh, priv]) await bed.send(bob, bob.create(note));
    expect([await open(fresh.id), await open(priv.id)]).toEqual([undefined, undefined]);
    const own = await bed.publish(alice, 'mine');
    expect(await fetchThreadWhenOld(bed.gateway.services, own, undefined)).toBeUndefined();
  });

  it('that are private, forged or on a suspended server are left out', async () => {
    const { bed, bob, carol, root, open, progress } = await opened();
    const priv = answer(carol, 'private', root, { to: [`${carol.uri}/followers`], cc: [] });
    const forged: Json = { ...answer(bob, 'forged', root), id: 'https://third.example/notes/forged' };
    const inlined: Json = { ...answer(carol, 'inlined', root), content: '<p>not hers</p>' };
    serve(bed, ...withReplies(root, [priv.id, forged.id, inlined]), priv, forged, answer(carol, 'inlined', root));
    await open();
    expect([bed.stored(priv.id), bed.stored(forged.id)]).toEqual([undefined, undefined]);
    expect(bed.stored(inlined.id)?.content).toBe('<p>inlined</p>');
    expect(progress()).toMatchObject({ isRunning: false, stored: 1 });
  });

  it('on another host than the status are no collection of its replies', async () => {
    const { bed, carol, root, open } = await opened();
    const first = answer(carol, '1', root);
    const page = { id: 'https://third.example/page', type: 'CollectionPage', items: [first.id] };
    serve(bed, { ...root, replies: page.id }, page, first);
    await open();
    expect(bed.asked).not.toContain(page.id);
    expect(bed.stored(first.id)).toBeUndefined();
  });

  it('notify nobody', async () => {
    const { bed, alice, carol, root, open } = await opened();
    const tag = [{ type: 'Mention', href: `${home}/users/alice`, name: '@alice@social.example' }];
    const first = answer(carol, '1', root, { tag, cc: [`${home}/users/alice`] });
    serve(bed, ...withReplies(root, [first.id]), first);
    await open();
    expect(bed.stored(first.id)?.mentions).toHaveLength(1);
    const page = { limit: 40 };
    expect(storedNotifications(bed.read, alice, { includeFiltered: true }, page, (id) => id).items).toEqual([]);
  });

  it('that are known are taken as they are now, or deleted', async () => {
    const { bed, bob, root, open } = await opened();
    const [kept, gone] = [answer(bob, 'kept', root), answer(bob, 'gone', root)];
    for (const note of [kept, gone]) await bed.send(bob, bob.create(note));
    serve(bed, ...withReplies(root, []), { ...kept, content: '<p>edited</p>', updated: '2025-01-01T11:30:00Z' });
    bed.web.set(String(gone.id), 'gone');
    await open();
    expect(bed.stored(kept.id)?.content).toBe('<p>edited</p>');
    expect(bed.stored(gone.id)).toBeUndefined();
  });
});

describe('a thread whose author is asked about replies', () => {
  const bobs = 'https://remote.example/users/bob';
  const limited = { interactionPolicy: { canReply: { automaticApproval: [bobs], manualApproval: [everybody] } } };
  const stamp = 'https://remote.example/stamps/1';
  const proof = (reply: Json, answered: Json): Json => ({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: stamp,
    type: 'ReplyAuthorization',
    attributedTo: bobs,
    interactingObject: reply.id,
    interactionTarget: answered.id,
  });

  it('takes the replies that are agreed to, until its author takes that back without a word', async () => {
    const { bed, carol, root, open } = await opened(limited);
    const [asked, unasked] = [answer(carol, 'asked', root, { replyAuthorization: stamp }), answer(carol, 'no', root)];
    serve(bed, ...withReplies(root, [asked.id, unasked.id]), asked, unasked, proof(asked, root));
    const rootId = bed.stored(root.id)!.id;
    await open();
    expect(repliesTo(bed.read, rootId)).toEqual([bed.stored(asked.id)!.id]);
    expect(bed.stored(unasked.id)?.inReplyToId).toBeUndefined();
    const again = async () => {
      bed.gateway.actors.clock.advance(15 * minutes);
      await open();
      bed.gateway.actors.settle();
      return repliesTo(bed.read, rootId).length;
    };
    bed.web.set(stamp, 'unreachable');
    expect(await again()).toBe(1);
    bed.web.set(stamp, 'notFound');
    expect(await again()).toBe(0);
    expect(await again()).toBe(0);
  });

  it.each([true, false])('judges a reply that was here before it: agreed to %s', async (isProved) => {
    const { bed, bob, root, open } = await opened();
    const above = bob.note('above', limited);
    const dave = bed.person('fourth.example', 'dave');
    const reply = answer(dave, 'reply', above, {
      ...(isProved && { replyAuthorization: stamp }),
      cc: [`${home}/users/alice`],
    });
    bed.web.set(String(above.id), 'unreachable');
    await bed.send(dave, dave.create(reply));
    expect(bed.stored(reply.id)).toMatchObject({ answersUnknown: true });
    expect(bed.stored(root.id)).toBeDefined();
    serve(bed, above, reply, proof(reply, above));
    await open(reply.id);
    bed.gateway.actors.settle();
    const aboveId = bed.stored(above.id)!.id;
    expect(bed.stored(reply.id)).toMatchObject(
      isProved ? { inReplyToId: aboveId, replyAuthorization: stamp } : { answersUnknown: true },
    );
    expect(repliesTo(bed.read, aboveId)).toHaveLength(isProved ? 1 : 0);
    await bed.send(bob, bob.activity('Delete', stamp));
    bed.gateway.actors.settle();
    expect(repliesTo(bed.read, aboveId)).toEqual([]);
  });
});

describe('a hostile server', () => {
  it('with pages without end is asked for so many', async () => {
    const { bed, root, open, progress } = await opened();
    const id = `${root.id}/replies`;
    for (let page = 0; page < 2 * threadLimits.pagesMax; page += 1)
      serve(bed, { id: `${id}?${page}`, type: 'CollectionPage', items: [], next: `${id}?${page + 1}` });
    serve(bed, { ...root, replies: { id, type: 'Collection', first: `${id}?0` } });
    const before = bed.asked.length;
    await open();
    expect(bed.asked.length - before).toBeLessThanOrEqual(threadLimits.pagesMax + 1);
    expect(progress()).toMatchObject({ isRunning: false, isCut: true });
  });

  it('that goes in circles is asked for each thing once', async () => {
    const { bed, bob, root, open, progress } = await opened();
    const id = `${root.id}/replies`;
    const first: Json = {
      ...answer(bob, '1', root),
      replies: { type: 'Collection', items: [root.id, bob.note('1').id] },
    };
    serve(bed, { id, type: 'Collection', items: [first.id], next: id }, first);
    const before = bed.asked.length;
    await open();
    expect(bed.asked.slice(before).sort()).toEqual([root.id, id, first.id].sort());
    expect(progress()).toEqual({ isRunning: false, stored: 1, isCut: false });
  });

  it('that names thousands of statuses gets its share of requests', async () => {
    const { bed, root, open, progress } = await opened();
    const requests = bed.gateway.services.options.fetchRepliesPerHost;
    const pages = Array.from({ length: 8 }, (_, page) => ({
      id: `${root.id}/replies?${page}`,
      type: 'CollectionPage',
      items: Array.from({ length: 150 }, (_none, index) => `https://remote.example/notes/${page}-${index}`),
      next: `${root.id}/replies?${page + 1}`,
    }));
    serve(bed, { ...root, replies: pages[0]!.id }, ...pages);
    const before = bed.asked.length;
    await open();
    expect(bed.asked.length - before).toBe(requests);
    expect(progress()).toMatchObject({ isRunning: false, isCut: true });
  });

  it('that does not answer is left alone after some failures', async () => {
    const { bed, root, open } = await opened();
    const dead = Array.from({ length: 20 }, (_, index) => `https://dead.example/notes/${index}`);
    for (const url of dead) bed.web.set(url, 'unreachable');
    serve(bed, ...withReplies(root, dead));
    await open();
    expect(bed.asked.filter((url) => url.includes('dead.example')).length).toBeLessThanOrEqual(
      threadLimits.failuresMax + threadLimits.runningMax,
    );
  });
});

describe('what a status answers', () => {
  it('is fetched up to the root, and the thread becomes one', async () => {
    const { bed, alice, bob, carol } = await opened();
    const chain: Json[] = [carol.note('c0')];
    for (let index = 1; index <= 30; index += 1) chain.push(answer(carol, `c${index}`, chain.at(-1)!));
    const last = answer(bob, 'last', chain.at(-1)!);
    await bed.send(bob, bob.create(last));
    const after = answer(bob, 'after', last);
    await bed.send(bob, bob.create(after));
    const parent = bed.stored(after.id)!;
    const reply = { inReplyToId: parent.id, inReplyToAccountId: parent.accountId, threadId: threadOf(parent) };
    const own = await bed.gateway.actors.call(Account.publish.to(alice, plainPost('mine', reply)));
    await bed.gateway.actors.call(Account.muteThread.to(alice, { threadId: threadOf(parent) }));
    expect(bed.stored(last.id)?.answersUnknown).toBe(true);
    serve(bed, ...chain, last, after);
    await fetchThreadWhenOld(bed.gateway.services, bed.stored(last.id)!.id, undefined);
    await bed.runEffects();
    const rootId = bed.stored(chain[0]!.id)!.id;
    const all = [...chain, last, after].map(({ id }) => bed.stored(id)!);
    expect(all.map(threadOf)).toEqual(all.map(() => rootId));
    expect(all.slice(1).map(({ inReplyToId }) => inReplyToId)).toEqual(all.slice(0, -1).map(({ id }) => id));
    expect(all.map(({ answersUnknown }) => answersUnknown)).toEqual(all.map(() => undefined));
    expect(threadOf(findStatusRecord(bed.read, own.statusId)!)).toBe(rootId);
    expect(
      inMutedThreads(
        bed.read,
        alice,
        all.map(({ id }) => id),
      ),
    ).toEqual(all.map(() => true));
  });
});

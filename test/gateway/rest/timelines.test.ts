import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Instance, type InstanceSettings, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { getAccountStatuses } from '../../../src/gateway/rest/accounts-statuses/get-account-statuses.ts';
import { publicTimeline } from '../../../src/gateway/rest/timelines/public-timeline.ts';
import { tagTimeline } from '../../../src/gateway/rest/timelines/tag-timeline.ts';
import type { Post } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';
import { idsIn } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';

let { people, api, alice, bob } = await newPeople();
let carol: Person;
let cats: Post;
let media: Post;
let remote: Post;

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
  carol = people.remote('carol', 'there.test');
  cats = await people.publish(alice, { tags: ['cats'] });
  media = await people.publish(bob, { tags: ['cats', 'dogs'], withMedia: true });
  remote = await people.receive(carol, 'https://there.test/1', { tags: ['dogs'] });
});

const ids = (...posts: Post[]) => posts.map(({ id }) => id.toString());

describe('the public timeline', () => {
  test.each<[Record<string, unknown>, () => Post[]]>([
    [{}, () => [remote, media, cats]],
    [{ local: 'true' }, () => [media, cats]],
    [{ remote: '1' }, () => [remote]],
    [{ local: true, remote: true }, () => [remote, media, cats]],
    [{ local: 'false', only_media: 'true' }, () => [media]],
    [{ limit: 2 }, () => [remote, media]],
  ])('with %o', async (given, expected) => {
    expect(idsIn((await api.ask(publicTimeline, undefined, given)).body)).toEqual(ids(...expected()));
  });

  test('links its pages and marks statuses for the viewer', async () => {
    await people.favourite(alice, media);
    const first = await api.ask(publicTimeline, alice, { limit: 1, local: true });
    expect(first.body).toMatchObject([{ id: `${media.id}`, favourited: true }]);
    expect(first.links).toEqual({
      next: { limit: '1', max_id: `${media.id}` },
      prev: { limit: '1', min_id: `${media.id}` },
    });
    const second = await api.ask(publicTimeline, alice, { local: true, ...first.links.next });
    expect(idsIn(second.body)).toEqual(ids(cats));
    expect(idsIn((await api.ask(publicTimeline, alice, { local: true, ...second.links.prev })).body)).toEqual(
      ids(media),
    );
  });

  test('leaves out whom the viewer blocks, and keeps the link', async () => {
    await people.block(alice, carol);
    const first = await api.ask(publicTimeline, alice, { limit: 1 });
    expect(idsIn(first.body)).toEqual(ids(media));
    expect(first.links.next).toMatchObject({ max_id: `${media.id}` });
  });

  test('reads on behind a long run of what the viewer hides', async () => {
    for (let number = 0; number < 410; number += 1) await people.publish(bob);
    await people.block(alice, bob);
    const down = await api.ask(publicTimeline, alice, { limit: 1 });
    expect(idsIn(down.body)).toEqual(ids(remote));
    const newest = await people.publish(alice);
    const up = await api.ask(publicTimeline, alice, { limit: 1, min_id: remote.id });
    expect(idsIn(up.body)).toEqual(ids(newest));
  });

  test('shows limited accounts to their followers and themselves only', async () => {
    people.moderate(bob, { limited: true });
    await people.follow(alice, bob);
    const shown = async (by?: Person) => idsIn((await api.ask(publicTimeline, by, { local: true })).body);
    expect(await shown()).toEqual(ids(cats));
    expect(await shown(alice)).toEqual(ids(media, cats));
    expect(await shown(bob)).toEqual(ids(media, cats));
  });
});

describe('the timeline of a tag', () => {
  test.each<[Record<string, unknown>, () => Post[]]>([
    [{ hashtag: 'Cats' }, () => [media, cats]],
    [{ hashtag: 'cats', any: ['dogs'] }, () => [remote, media, cats]],
    [{ hashtag: 'cats', all: ['DOGS'] }, () => [media]],
    [{ hashtag: '＃Cats', all: ['＃dogs'] }, () => [media]],
    [{ hashtag: 'dogs', none: ['cats'] }, () => [remote]],
    [{ hashtag: 'dogs', only_media: true }, () => [media]],
    [{ hashtag: 'cats', all: ['not a tag'] }, () => []],
    [{ hashtag: '12' }, () => []],
  ])('with %o', async (given, expected) => {
    expect(idsIn((await api.ask(tagTimeline, undefined, given)).body)).toEqual(ids(...expected()));
  });
});

describe('the statuses of an account', () => {
  test('are listed for everybody, with links', async () => {
    const reply = await people.publish(alice, { replyTo: media });
    const first = await api.ask(getAccountStatuses, undefined, { id: alice.id, limit: 1 });
    expect(idsIn(first.body)).toEqual(ids(reply));
    expect(first.links.next).toEqual({ limit: '1', max_id: `${reply.id}` });
    for (const tagged of ['CATS', '#cats', '＃Cats']) {
      const wish = { id: alice.id, exclude_replies: true, tagged };
      expect(idsIn((await api.ask(getAccountStatuses, undefined, wish)).body)).toEqual(ids(cats));
    }
    expect((await api.ask(getAccountStatuses, undefined, { id: alice.id, pinned: true })).body).toEqual([]);
  });

  test('are listed without those for named readers where these are excluded', async () => {
    const letter = await people.publish(alice, { visibility: 'direct', mentions: [bob] });
    const listed = async (given: object) =>
      idsIn((await api.ask(getAccountStatuses, bob, { id: alice.id, limit: 1, ...given })).body);
    expect(await listed({})).toEqual(ids(letter));
    expect(await listed({ exclude_direct: 'true' })).toEqual(ids(cats));
  });

  test('are listed without reblogs of whom the reader mutes, or whose server the reader hides', async () => {
    const dave = people.local('dave');
    const reblogs = [await people.reblog(bob, remote), await people.reblog(bob, cats)].map(({ id }) => `${id}`);
    const listed = async (viewer: Person | undefined) =>
      idsIn((await api.ask(getAccountStatuses, viewer, { id: bob.id, exclude_replies: 'true' })).body);
    expect(await listed(dave)).toEqual(expect.arrayContaining(reblogs));
    await people.mute(dave, alice);
    expect(await listed(dave)).not.toContain(reblogs[1]);
    expect(await listed(dave)).toContain(reblogs[0]);
    const domain = 'there.test';
    await people.server.call(Account.blockDomain.to(dave.id, { domain, followed: [] }));
    expect(await listed(dave)).not.toContain(reblogs[0]);
    // What is muted stays on the profile of its author, and of who reblogged it for that account itself.
    expect(idsIn((await api.ask(getAccountStatuses, dave, { id: alice.id })).body)).toContain(`${cats.id}`);
    await people.mute(bob, alice);
    for (const viewer of [bob, undefined]) expect(await listed(viewer)).toEqual(expect.arrayContaining(reblogs));
    await people.unmute(dave, alice);
    expect(await listed(dave)).toContain(reblogs[1]);
  });

  test('of nobody are not there', async () => {
    await expect(api.ask(getAccountStatuses, undefined, { id: 77 })).rejects.toMatchObject({ code: 'notFound' });
  });

  test('of a suspended account are gone, or none, by dialect', async () => {
    people.suspend(alice);
    await expect(api.ask(getAccountStatuses, bob, { id: alice.id })).rejects.toMatchObject({ code: 'gone' });
    api.dialect = 'mastodon';
    expect((await api.ask(getAccountStatuses, bob, { id: alice.id })).body).toEqual([]);
  });
});

describe('timelines that are not for everybody', () => {
  const settings = (changes: InstanceSettings) => people.server.call(Instance.changeSettings.to(instanceKey, changes));
  /** What is answered: the ids, or the status of a refusal. */
  const asked = (endpoint: typeof publicTimeline | typeof tagTimeline, by: Person | undefined, given: object) =>
    api.ask(endpoint, by, { hashtag: 'dogs', ...given }).then(
      ({ body }) => idsIn(body),
      ({ status }: { status: number }) => status,
    );
  const accesses = ['public', 'authenticated', 'disabled'] as const;
  const rules = accesses.flatMap((local) => accesses.map((remote) => [local, remote] as const));

  test.each(rules)('of this server %s, of others %s', async (localAccess, remoteAccess) => {
    const access = { local: localAccess, remote: remoteAccess };
    const readers = [
      ['nobody', undefined],
      ['member', alice],
      ['moderator', bob],
    ] as const;
    await people.server.call(Account.changeLogin.to(bob.id, { role: 'moderator' }));
    await settings({ localLiveFeeds: localAccess, remoteLiveFeeds: remoteAccess, remoteTopicFeeds: remoteAccess });
    await settings({ localTopicFeeds: localAccess === 'public' ? 'public' : 'authenticated' });
    const mayRead = (kind: 'live' | 'topic', name: string, part: 'local' | 'remote') => {
      const rule = kind === 'topic' && part === 'local' && access[part] === 'disabled' ? 'authenticated' : access[part];
      return rule === 'public' || name === 'moderator' || (rule === 'authenticated' && name === 'member');
    };
    const listed = {
      live: { local: [media, cats], remote: [remote] },
      topic: { local: [media], remote: [remote] },
    };
    for (const [name, reader] of readers)
      for (const [kind, endpoint] of [
        ['live', publicTimeline],
        ['topic', tagTimeline],
      ] as const)
        for (const parts of [['remote'], ['local'], ['remote', 'local']] as const) {
          const given = parts.length === 1 ? { [parts[0]]: true } : {};
          const readable = parts.filter((part) => mayRead(kind, name, part));
          const isRefused = name === 'nobody' && readable.length < parts.length;
          const wanted = isRefused ? 422 : ids(...readable.flatMap((part) => listed[kind][part]));
          expect([name, kind, parts, await asked(endpoint, reader, given)]).toEqual([name, kind, parts, wanted]);
        }
  });
});

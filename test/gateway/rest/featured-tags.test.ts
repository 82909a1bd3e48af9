/** Featured tags through the API (specification 4.9, 6.2), over partitions in memory. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { featuredTagLimits } from '../../../src/actors/account/featured-tags/limits.ts';
import {
  deleteFeaturedTag,
  getFeaturedTags,
  getFeaturedTagsOfAccount,
  getProposedTags,
  postFeaturedTag,
} from '../../../src/gateway/rest/featured-tags/featured-tags.endpoints.ts';
import { getTag, postTagFeature, postTagUnfeature } from '../../../src/gateway/rest/tags/tags.endpoints.ts';
import { featureTag } from '../../../src/operations/tags/feature-tag.ts';
import { Callers } from '../../operations/callers.ts';
import { type Post, publication } from '../../support/acts.ts';
import { newPeople } from '../../support/api-people.ts';

let { people, api, alice, bob } = await newPeople();

beforeEach(async () => {
  ({ people, api, alice, bob } = await newPeople());
});

const mine = async () => (await api.ask<Record<string, unknown>[]>(getFeaturedTags, alice)).body;
/** Name, number and day of the last status of each. */
const counts = async () =>
  (await mine()).map(({ name, statuses_count, last_status_at }) => [name, statuses_count, last_status_at]);
const named = (name: string) => api.ask(postFeaturedTag, alice, { name });
const edit = (post: Post, tags: readonly string[]) => {
  const { mentions: _mentions, visibility: _visibility, ...given } = publication({ tags });
  return people.server.call(
    Account.edit.to(post.author.id, { ...given, statusId: post.id, mentions: [], text: `edited ${tags.join(' ')}` }),
  );
};
const day = () => new Date(people.server.clock.now()).toISOString().slice(0, 10);
const nextDay = () => people.server.clock.advance(24 * 60 * 60 * 1_000);

describe('a featured tag', () => {
  test('is shown as it was written, with its address, to everybody', async () => {
    await people.publish(alice, { tags: ['catsofmastodon'] });
    const { body } = await named('#CatsOfMastodon');
    expect(body).toEqual({
      id: expect.any(String),
      name: 'CatsOfMastodon',
      url: 'https://here.example/@alice/tagged/catsofmastodon',
      statuses_count: '1',
      last_status_at: day(),
    });
    for (const viewer of [undefined, alice, bob])
      expect((await api.ask(getFeaturedTagsOfAccount, viewer, { id: alice.id })).body).toEqual([body]);
    await people.block(alice, bob);
    expect((await api.ask(getFeaturedTagsOfAccount, bob, { id: alice.id })).body).toEqual([]);
    expect((await api.ask(getFeaturedTags, bob)).body).toEqual([]);
  });

  test('counts what everybody may see, before and after, through edits and deletions', async () => {
    const first = await people.publish(alice, { tags: ['cats'] });
    await people.publish(alice, { tags: ['cats'], visibility: 'private' });
    const quiet = await people.publish(alice, { tags: ['cats', 'dogs'], visibility: 'unlisted' });
    await people.publish(bob, { tags: ['cats'] });
    await people.reblog(alice, await people.publish(bob, { tags: ['cats'] }));
    await named('cats');
    const days = [day()];
    expect(await counts()).toEqual([['cats', '2', days[0]]]);
    nextDay();
    days.push(day());
    const last = await people.publish(alice, { tags: ['cats', 'cats'] });
    await people.publish(alice, { tags: ['cats'], visibility: 'direct' });
    expect(await counts()).toEqual([['cats', '3', days[1]]]);
    await edit(last, ['birds']);
    expect(await counts()).toEqual([['cats', '2', days[0]]]);
    await edit(last, ['birds', 'cats']);
    expect(await counts()).toEqual([['cats', '3', days[1]]]);
    for (const post of [first, last, quiet]) await people.remove(post);
    expect(await counts()).toEqual([['cats', '0', null]]);
  });

  test('is counted in slices, whatever is written and deleted meanwhile', async () => {
    const { countedPerTurn } = featuredTagLimits;
    const posts: Post[] = [];
    for (let count = 0; count < 2 * countedPerTurn + 5; count += 1)
      posts.push(await people.publish(alice, { tags: count % 100 === 0 ? ['cats'] : [] }));
    people.server.send(Account.featureTag.to(alice.id, { name: 'cats', display: 'cats', isNew: true }));
    people.server.send(Account.deleteStatus.to(alice.id, { statusId: posts[0]!.id, destinations: [] }));
    people.server.send(Account.deleteStatus.to(alice.id, { statusId: posts[400]!.id, destinations: [] }));
    people.server.send(Account.publish.to(alice.id, publication({ tags: ['cats'] })));
    people.server.settle();
    expect(await counts()).toEqual([['cats', '4', day()]]);
  });

  test('finds its last status however far back that is', async () => {
    await people.publish(alice, { tags: ['cats'] });
    const then = day();
    nextDay();
    for (let count = 0; count < featuredTagLimits.countedPerTurn + 5; count += 1) await people.publish(alice);
    const last = await people.publish(alice, { tags: ['cats'] });
    await named('cats');
    await people.remove(last);
    people.server.settle();
    expect(await counts()).toEqual([['cats', '1', then]]);
  });

  test('comes with most used first, and goes by its id', async () => {
    for (const tags of [['dogs'], ['cats', 'dogs']]) await people.publish(alice, { tags });
    for (const name of ['cats', 'dogs', 'birds']) await named(name);
    const [dogs, ...others] = await mine();
    expect([dogs!.name, ...others.map(({ name }) => name)]).toEqual(['dogs', 'cats', 'birds']);
    expect((await api.ask(deleteFeaturedTag, alice, { id: dogs!.id })).body).toEqual({});
    expect(await mine()).toEqual(others);
    for (const [who, tag] of [
      [alice, dogs!],
      [bob, others[0]!],
    ] as const)
      await expect(api.ask(deleteFeaturedTag, who, { id: tag.id })).rejects.toMatchObject({ code: 'notFound' });
  });

  test.each([
    ['', "Validation failed: Tag can't be blank"],
    ['#', "Validation failed: Tag can't be blank"],
    ['a b', 'Validation failed: Tag is invalid'],
    ['12', 'Validation failed: Tag is invalid'],
    ['Cats', 'Validation failed: Tag has already been taken'],
  ])('%j is refused', async (name, message) => {
    await named('cats');
    await expect(named(name)).rejects.toMatchObject({ code: 'validation', message });
    expect(await counts()).toEqual([['cats', '0', null]]);
  });

  test('is one of ten', async () => {
    for (let count = 1; count <= featuredTagLimits.perLocalAccountMax; count += 1) await named(`tag${count}`);
    await expect(named('cats')).rejects.toMatchObject({
      message: 'Validation failed: You have already featured the maximum number of hashtags',
    });
    expect(await mine()).toHaveLength(10);
  });

  test('is told to followers as an Update, and as an Add or a Remove for Mastodon', async () => {
    people.takeDeliveries();
    await named('Cats');
    await api.ask(postTagUnfeature, alice, { name: 'cats' });
    const told = people.takeDeliveries().map(({ intent }) => intent.kind);
    expect(told).toEqual([]);
    const rita = people.remote('rita', 'there.example');
    await people.follow(rita, alice);
    people.takeDeliveries();
    await named('Cats');
    await api.ask(postTagUnfeature, alice, { name: 'cats' });
    expect(people.takeDeliveries().map(({ intent, toFollowers }) => [intent.kind, toFollowers])).toEqual([
      ['featureTag', true],
      ['updateAccount', true],
      ['unfeatureTag', true],
      ['updateAccount', true],
    ]);
  });
});

test('tags are featured by their names as well, any number of times', async () => {
  const asked = async (endpoint: typeof postTagFeature) => (await api.ask(endpoint, alice, { name: '#Cats' })).body;
  expect(await asked(getTag)).toMatchObject({ following: false, featuring: false });
  for (let time = 0; time < 2; time += 1)
    expect(await asked(postTagFeature)).toMatchObject({ name: 'cats', featuring: true });
  expect(await counts()).toEqual([['Cats', '0', null]]);
  expect((await api.ask(getTag, bob, { name: 'cats' })).body).toMatchObject({ featuring: false });
  expect('featuring' in (await api.ask(getTag, undefined, { name: 'cats' })).body).toBe(false);
  for (let time = 0; time < 2; time += 1) expect(await asked(postTagUnfeature)).toMatchObject({ featuring: false });
  expect(await mine()).toEqual([]);
  const callers = new Callers();
  const carol = callers.as(callers.people.local('carol'));
  await expect(featureTag(carol, { tag: 'a b' })).rejects.toMatchObject({ code: 'notFound' });
});

test('what somebody writes of late is proposed, the most used first, without what is featured', async () => {
  for (const tags of [['cats'], ['cats', 'dogs'], ['cats', 'dogs', 'birds']]) await people.publish(alice, { tags });
  await named('dogs');
  const { body } = await api.ask(getProposedTags, alice);
  expect(body).toMatchObject([{ name: 'cats', history: { length: 7 } }, { name: 'birds' }]);
  expect((await api.ask(getProposedTags, bob)).body).toEqual([]);
});

/** The pages of what trends: posts, hashtags, news and people, for visitors and as each reader wants to see them. */
import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { plainPost } from '../../support/plain-post.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

let site: Site;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  site = new Site();
  [alice, bob] = [await site.person('alice'), await site.person('bob')];
  for (const { id } of [alice, bob])
    await site.gateway.actors.call(Account.changeProfile.to(id, { discoverable: true }));
});

/** Favourited by five who have no other part. */
async function popular(author: Person, text: string): Promise<void> {
  const { actors } = site.gateway;
  actors.clock.advance(1_000);
  const { statusId } = await actors.call(Account.publish.to(author.id, { ...plainPost(text), language: 'en' }));
  for (let fan = 1n; fan <= 5n; fan += 1n)
    actors.send(Account.favourite.to(author.id, { statusId, by: author.id + (fan << 22n) }));
  actors.settle();
}

async function article(author: Person, by?: Person): Promise<void> {
  const { actors } = site.gateway;
  const url = 'https://aviary.example/starlings';
  const about = { title: 'Starlings', description: 'How a flock turns', providerName: 'The Aviary' };
  const named = by === undefined ? {} : { authorId: by.id };
  const card = { url, ...about, isArticle: true, image: `${url}.png`, ...named };
  const { statusId } = await actors.call(Account.publish.to(author.id, plainPost('x', { link: url })));
  actors.send(Account.cardFound.to(author.id, { statusId, url, card }));
  actors.settle();
}

const shown = async (who: Person | Site['stranger'], path: string) => {
  const page = await who.ask(path);
  expect(page.status).toBe(200);
  expectStrict(page);
  return textOf(page.html);
};

test('posts that trend, also for visitors', async () => {
  await popular(alice, 'Starlings turn at once');
  for (const who of [site.stranger, alice, bob])
    expect(await shown(who, '/explore')).toContain('Starlings turn at once');
  expect((await site.stranger.ask('/explore')).html).toMatch(
    /<a class="to-explore" href="\/explore" aria-current="page">/,
  );
  await bob.act(`/web/accounts/${alice.id}/mute`);
  expect(await shown(bob, '/explore')).toContain('No posts are popular at the moment.');
});

test('what a filter of the reader hides is not shown', async () => {
  await popular(alice, 'Starlings turn at once');
  const given = { title: 'Birds', context: 'public', action: 'hide', lifetime: 'day', rows: '2' };
  await bob.act('/web/filters', { ...given, keyword_0: 'starlings' });
  const text = await shown(bob, '/explore');
  expect([text.includes('Starlings turn'), text.includes('No posts are popular')]).toEqual([false, true]);
});

test('hashtags with their use, and people who want to be found', async () => {
  for (const author of [alice, bob]) await author.write('#birds');
  expect(await shown(site.stranger, '/explore/tags')).toMatch(/#birds 2 people in two days/);
  const people = await shown(site.stranger, '/explore/people');
  expect([people.includes('@alice'), people.includes('@bob')]).toEqual([true, true]);
  await bob.act(`/web/accounts/${alice.id}/block`);
  expect(await shown(bob, '/explore/people')).not.toContain('@alice');
});

test('a line shows the use of a hashtag day by day', async () => {
  await alice.write('#birds');
  expect((await site.stranger.ask('/explore/tags')).html).toMatch(/<svg class="spark" viewBox="0 0 7 16"/);
});

test('people are listed by what they do, or newest first, of this server alone', async () => {
  await alice.write('Later than bob came');
  const carol = await site.person('carol');
  await site.changeProfile(carol, { discoverable: true });
  const listed = async (query: string) => {
    const page = await site.stranger.ask(`/explore/people${query}`);
    expectStrict(page);
    return [...page.html.matchAll(/class="handle">@(\w+)/g)].map(([, name]) => name);
  };
  expect((await listed(''))[0]).toBe('alice');
  expect((await listed('?order=new&local=1'))[0]).toBe('carol');
  expect((await site.stranger.ask('/explore/people?order=new')).html).toContain(
    '<a href="?order=new&amp;local=1&amp;">Only from this server</a>',
  );
});

test('news with their picture and the account that has written them', async () => {
  const carol = await site.person('carol');
  await site.gateway.actors.call(Account.changeProfile.to(carol.id, { attributionDomains: ['aviary.example'] }));
  for (const author of [alice, bob]) await article(author, carol);
  const { html } = await site.stranger.ask('/explore/links');
  expect(html).toMatch(/class="preview pictured" href="https:\/\/aviary.example\/starlings"/);
  expect(textOf(html)).toMatch(/The Aviary Starlings How a flock turns C More from carol 2 people in two days/);
  await site.gateway.actors.call(Account.changeProfile.to(carol.id, { attributionDomains: [] }));
  expect(await shown(site.stranger, '/explore/links')).not.toContain('More from');
});

test('news lead to the posts about them, and no other link does', async () => {
  await article(alice);
  await article(bob);
  const { html } = await site.stranger.ask('/explore/links');
  const path = '/public/link?url=https%3A%2F%2Faviary.example%2Fstarlings';
  expect(html).toContain(`<a href="${path}">2 people in two days</a>`);
  const posts = await site.stranger.ask(path);
  expectStrict(posts);
  expect(posts.html.match(/<li class="entry"/g)).toHaveLength(2);
  expect(textOf(posts.html)).toContain('Posts about a page of aviary.example');
  await bob.act(`/web/accounts/${alice.id}/mute`);
  expect((await bob.ask(path)).html.match(/<li class="entry"/g)).toHaveLength(1);
  for (const url of ['', '?url=', '?url=x', '?url=https%3A%2F%2Faviary.example%2Fwrens'])
    expect((await site.stranger.ask(`/public/link${url}`)).status).toBe(404);
});

test('nothing trends where staff have switched trends off, and long lists have a further page', async () => {
  for (let count = 0; count < 25; count += 1) await alice.write(`#tag${count}`);
  const first = await site.stranger.ask('/explore/tags');
  expect(first.html).toContain('<a rel="next" href="?offset=20">Show more</a>');
  expect((await site.stranger.ask('/explore/tags?offset=20')).html.match(/<li class="entry">/g)).toHaveLength(5);
  await site.gateway.actors.call(Instance.changeSettings.to(instanceKey, { trends: false }));
  for (const [path, words] of [
    ['/explore', 'No posts are popular'],
    ['/explore/tags', 'No hashtags are popular'],
    ['/explore/links', 'Nobody talks about the same news'],
  ] as const)
    expect(await shown(site.stranger, path)).toContain(words);
});

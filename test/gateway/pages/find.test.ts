/** The page of the search: results by kind, further pages of each, and what it says where nothing is found. */
import { beforeEach, expect, test } from 'vitest';
import { searchOver } from '../../support/search.ts';
import { type Person, Site } from './site.ts';
import { expectStrict } from './strict.ts';

let site: Site;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  site = new Site();
  [alice, bob] = [await site.person('alice'), await site.person('bob')];
  await site.changeProfile(alice, { indexable: true });
  const { engine, catchUp } = searchOver(site.gateway.actors);
  catchUp();
  Object.assign(site.gateway.services, { search: engine });
});

const idsOn = (html: string) => Array.from(html.matchAll(/<li class="entry" id="status-(\d+)"/g), ([, id]) => id!);
const olderOn = (html: string) => /<a rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');

test('posts have pages, of which the first is among all kinds', async () => {
  const ids: string[] = [];
  for (let number = 0; number < 45; number += 1) ids.unshift(await alice.write(`herons & owls ${number}`));
  let page = await bob.ask('/web/find?handle=herons+%26');
  expectStrict(page);
  expect(page.html).toContain('<h2 class="list">Posts</h2>');
  const found = idsOn(page.html);
  expect(found).toEqual(ids.slice(0, 20));
  for (let older = olderOn(page.html); older !== undefined; older = olderOn(page.html)) {
    expect(older).toMatch(/^\?handle=herons%20%26&kind=statuses&max_id=\d+$/);
    page = await bob.ask(`/web/find${older}`);
    expectStrict(page);
    expect(page.status).toBe(200);
    expect(page.html).toContain('<a href="?handle=herons%20%26&amp;kind=statuses" aria-current="page">Posts</a>');
    found.push(...idsOn(page.html));
  }
  expect(found).toEqual(ids);
});

test('in a profile one searches in the posts of its account alone', async () => {
  await site.changeProfile(bob, { indexable: true });
  const own = await alice.write('herons at dawn');
  await bob.write('herons at dusk');
  const profile = await bob.ask('/@alice');
  expectStrict(profile);
  expect(profile.html).toContain('<input type="hidden" name="of" value="alice">');
  const page = await bob.ask('/web/find?handle=herons&of=alice&kind=accounts');
  expectStrict(page);
  expect(idsOn(page.html)).toEqual([own]);
  expect(page.html).toContain('Search in the posts of @alice');
  expect(page.html).toContain('<a href="?handle=herons">Search everywhere</a>');
  expect((await bob.ask('/web/find?handle=owls&of=alice')).status).toBe(404);
  expect((await bob.ask('/web/find?handle=herons&of=nobody')).html).toContain('There is nothing here');
  Object.assign(site.gateway.services, { search: undefined });
  expect((await bob.ask('/@alice')).html).not.toContain('name="of"');
});

test('of people and hashtags the page of all kinds has some, and leads to the others', async () => {
  for (let number = 0; number < 7; number += 1) await site.person(`heron${number}`);
  for (let number = 0; number < 6; number += 1) await alice.write(`on #herons${number}`);
  const all = (await bob.ask('/web/find?handle=heron')).html;
  expect(all.match(/<li class="entry person"/g)).toHaveLength(5);
  expect(all.match(/href="\/tags\//g)).toHaveLength(5);
  for (const kind of ['accounts', 'hashtags']) expect(all).toContain(`<a href="?handle=heron&amp;kind=${kind}">More `);
  const people = (await bob.ask('/web/find?handle=heron&kind=accounts')).html;
  expect(people.match(/<li class="entry person"/g)).toHaveLength(7);
  expect(people).not.toContain('href="/tags/');
  expect((await bob.ask('/web/find?handle=heron&kind=accounts&offset=6')).html).toMatch(/<li class="entry person"/);
  expect((await bob.ask('/web/find?handle=heron&kind=hashtags')).html.match(/href="\/tags\//g)).toHaveLength(6);
});

test('days are those of the browser, as its script tells', async () => {
  const { clock } = site.gateway.actors;
  clock.advance(Date.parse('2025-01-14T23:30:00Z') - clock.now());
  const id = await alice.write('herons at night');
  const ask = async (zone: string) => (await bob.ask(`/web/find?handle=herons+during%3A2025-01-15&zone=${zone}`)).html;
  expect(idsOn(await ask('Europe%2FBerlin'))).toEqual([id]);
  expect(await ask('Europe%2FBerlin')).toContain(
    '?handle=herons%20during%3A2025-01-15&amp;kind=statuses&amp;zone=Europe%2FBerlin',
  );
  expect(idsOn(await ask('Mars'))).toEqual([]);
});

test('where nothing is found the page says what could be', async () => {
  const none = await bob.ask('/web/find?handle=herons&kind=statuses');
  expect([none.status, none.html.includes('No post that you may find has')]).toEqual([404, true]);
  const wrong = await bob.ask(`/web/find?handle=${'x'.repeat(1_000)}&kind=owls&offset=-1`);
  expect([wrong.status, wrong.html.includes('Nothing found')]).toEqual([404, true]);
});

test('operators are explained, unless there is no search in posts', async () => {
  expect((await bob.ask('/web/find')).html).toContain('<dt><code>from:me</code></dt>');
  Object.assign(site.gateway.services, { search: undefined });
  expect((await bob.ask('/web/find')).html).not.toContain('from:me');
});

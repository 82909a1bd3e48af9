/** The pages and forms of filters. */
import { beforeEach, expect, test } from 'vitest';
import { filtersOf } from '../../../../src/actors/account/filters/filters.queries.ts';
import { filterRoutes } from '../../../../src/gateway/pages/filters/filters-page.ts';
import { type Person, Site, textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';

let site: Site;
let alice: Person;
let bob: Person;

beforeEach(async () => {
  site = new Site();
  [alice, bob] = [await site.person('alice'), await site.person('bob')];
});

const storedOf = ({ id }: Person) => filtersOf(site.gateway.actors.read, id);
const given = {
  ...{ title: 'Ball games', context: 'public', action: 'warn', lifetime: 'day', rows: '2' },
  ...{ keyword_0: 'football', whole_word_0: '1', keyword_1: 'tennis' },
};

test('are for those who are signed in', async () => {
  for (const { method, path } of filterRoutes.filter((route) => route.method === 'GET'))
    expect([method, (await site.stranger.ask(path.replace(':id', '1'))).location]).toEqual([
      'GET',
      expect.stringContaining('/auth/sign_in'),
    ]);
  expect(textOf((await alice.ask('/filters')).html)).toContain('No filters yet');
});

test('one is made, covers what it names, is changed and removed', async () => {
  expect((await alice.act('/web/filters', given)).location).toBe('/filters?done=made');
  const [filter] = storedOf(alice);
  const words = filter!.keywords.map(({ keyword, wholeWord }) => [keyword, wholeWord]);
  expect(words).toEqual([
    ['football', true],
    ['tennis', false],
  ]);
  expect(filter!.expiresAt).toBe(site.gateway.actors.clock.now() + 24 * 60 * 60 * 1_000);
  await bob.write('The football is round');
  expect(textOf((await alice.ask('/public')).html)).toContain('Filtered: Ball games');

  const shown = await alice.ask('/filters?done=made');
  expectStrict(shown);
  expect(textOf(shown.html)).toMatch(/The filter is made\..*Ball games 2 words · until/);
  const path = `/filters/${filter!.id}`;
  const page = await alice.ask(path);
  expectStrict(page);
  expect(page.html).toContain('<option value="" selected>As it is</option>');
  const [football] = filter!.keywords;
  const changed = {
    ...given,
    title: 'Games',
    action: 'hide',
    lifetime: '',
    rows: '2',
    keyword_id_0: String(football!.id),
  };
  expect((await alice.act(`/web${path}`, { ...changed, keyword_0: '', keyword_1: 'round' })).location).toBe(
    `${path}?done=changed`,
  );
  const [after] = storedOf(alice);
  expect([after!.title, after!.action, after!.expiresAt]).toEqual(['Games', 'hide', filter!.expiresAt]);
  expect(after!.keywords.map(({ keyword }) => keyword)).toEqual(['tennis', 'round']);
  expect(textOf((await alice.ask('/public')).html)).not.toContain('is round');

  expect((await alice.act(`/web${path}/remove`)).location).toBe('/filters?done=removed');
  expect(storedOf(alice)).toEqual([]);
  expect(textOf((await alice.ask('/public')).html)).toContain('The football is round');
});

test.each([
  ['without a name', { title: ' ' }, 'Please fill this in.'],
  ['with a long name', { title: 'x'.repeat(257) }, 'This is too long: there can be 256 characters.'],
  ['for no place', { context: '' }, 'Choose at least one place.'],
  ['with a long word', { keyword_1: 'x'.repeat(513) }, 'This is too long: there can be 512 characters.'],
])('one %s is refused at its field, and what was given stays', async (_, wrong, problem) => {
  await alice.act('/web/filters', given);
  for (const path of ['/web/filters', `/web/filters/${storedOf(alice)[0]!.id}`]) {
    const answer = await alice.act(path, { ...given, keyword_0: 'cricket', ...wrong });
    expect([answer.status, answer.html.includes(`>${problem}</p>`)]).toEqual([422, true]);
    expect(answer.html).toContain('value="cricket"');
    expectStrict(answer);
  }
  expect(storedOf(alice).map(({ title, keywords }) => [title, keywords[0]!.keyword])).toEqual([
    ['Ball games', 'football'],
  ]);
});

test('one is of its owner alone', async () => {
  await alice.act('/web/filters', given);
  const { id } = storedOf(alice)[0]!;
  expect((await bob.ask(`/filters/${id}`)).status).toBe(404);
  for (const path of [`/web/filters/${id}`, `/web/filters/${id}/remove`]) {
    expect((await bob.act(path, given)).status).toBe(404);
    expect((await alice.ask(path, { form: { form_token: 'guessed', ...given } })).status).toBe(403);
  }
  expect((await alice.ask('/filters/x')).status).toBe(404);
  expect(storedOf(alice)).toHaveLength(1);
});

test.each([['-1'], ['many'], ['1e9']])('a form that claims %s rows makes a filter of what it has', async (rows) => {
  expect((await alice.act('/web/filters', { ...given, rows })).status).toBe(303);
  expect(storedOf(alice)[0]!.keywords.length).toBe(rows === '1e9' ? 2 : 0);
});

/** Following a hashtag on its page, and the list of followed hashtags. */

import { expect, test } from 'vitest';
import { tagButton } from '../../../src/gateway/pages/followed-tags.ts';
import { Languages } from '../../../src/services/words/languages.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

const inEnglish = { words: new Languages().source };

test.each([
  ['Birds', 'birds', 'birds'],
  ['Vögel', 'vogel', 'vogel'],
  ['Птица', 'птица', encodeURIComponent('птица')],
])('#%s is followed from its page, brings its posts home, and is followed no longer', async (display, name, inPath) => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const page = `/tags/${encodeURIComponent(display)}`;
  expect((await site.stranger.ask(page)).html).not.toContain('formaction');
  const offered = await alice.ask(page);
  expectStrict(offered);
  expect(offered.html).toContain(tagButton(inEnglish, name, false).markup);
  expect(tagButton(inEnglish, name, false).markup).toContain(`formaction="/web/tags/${inPath}/follow">Follow<`);

  expect((await alice.act(`/web/tags/${inPath}/follow`, { return_to: page })).location).toBe(page);
  expect((await alice.ask(page)).html).toContain(tagButton(inEnglish, name, true).markup);
  await bob.write(`A wren #${display}`);
  expect(textOf((await alice.ask('/')).html)).toContain('A wren');
  const list = await alice.ask('/followed_tags');
  expectStrict(list);
  expect(list.html).toContain(`<a href="/tags/${inPath}"><bdi>#${name}</bdi></a>`);

  await alice.act(`/web/tags/${inPath}/unfollow`);
  expect(textOf((await alice.ask('/followed_tags')).html)).toContain('You follow no hashtag');
  expect(textOf((await alice.ask('/')).html)).not.toContain('A wren');
});

test('what cannot be a hashtag is not followed', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  expect((await alice.act('/web/tags/not%20a%20tag/follow')).status).toBe(404);
  expect((await alice.ask('/web/tags/birds/follow', { form: { form_token: 'guessed' } })).status).toBe(403);
  expect(textOf((await alice.ask('/followed_tags')).html)).toContain('You follow no hashtag');
});

test('the page of a hashtag features it on the profile of its reader, and takes it from there', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  const featured = async () => /<ul class="tags".*?<\/ul>/s.exec((await alice.ask('/@alice')).html)?.[0];
  expect((await alice.ask('/tags/Birds')).html).toContain('formaction="/web/tags/Birds/feature"');
  expect((await site.stranger.ask('/tags/Birds')).html).not.toContain('/feature"');
  await alice.act('/web/tags/Birds/feature', { return_to: '/tags/Birds' });
  expect(await featured()).toContain('#Birds');
  expect((await alice.ask('/tags/birds')).html).toContain('formaction="/web/tags/birds/unfeature"');
  await alice.act('/web/tags/birds/unfeature');
  await alice.act('/web/tags/birds/unfeature');
  expect(await featured()).toBeUndefined();
});

test('the page of a hashtag shows posts with others as well, or without some, from page to page', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  for (const text of ['#birds alone', '#birds #sea', '#owls at night', '#birds #owls']) await alice.write(text);
  const shown = async (query: string) => {
    const page = await site.stranger.ask(`/tags/Birds${query}`);
    expectStrict(page);
    const texts = [...page.html.matchAll(/<div class="content".*?<\/div>/gs)].map(([content]) => textOf(content));
    return texts.map((text) => text.replaceAll('# ', '#'));
  };
  expect(await shown('?any=%23owls')).toEqual(['#birds #owls', '#owls at night', '#birds #sea', '#birds alone']);
  expect(await shown('?all=owls')).toEqual(['#birds #owls']);
  expect(await shown('?none=owls+sea')).toEqual(['#birds alone']);
  expect(await shown('?none=!&local=1')).toHaveLength(3);
  expect(await shown('?media=1')).toEqual([]);
  for (let number = 0; number < 21; number += 1) await alice.write(`#birds ${number}`);
  const { html } = await site.stranger.ask('/tags/Birds?none=owls,sea');
  expect(html).toMatch(/<a rel="next" href="\?none=owls%20sea&amp;max_id=\d+"/);
  expect(html).toMatch(/<details class="card combined" open>/);
});

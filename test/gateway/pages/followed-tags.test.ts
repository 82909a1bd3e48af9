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

/** What helps a writer: completions of a word, the language of a post; and what a new account is shown at home. */

import { expect, test } from 'vitest';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { parseId } from '../../../src/runtime/ids.ts';
import { Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

function textsIn(html: string): string[] {
  return [...html.matchAll(/data-text="([^"]+)"/g)].map(([, text]) => text!);
}

test('a word that begins with a mark becomes a person, a hashtag or an emoji', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  await site.person('bobby');
  await bob.write('#Birds and #birdhouses');
  const [teal, hidden] = ['teal', 'tea'].map((shortcode) => ({
    shortcode,
    url: `https://files.example/${shortcode}.png`,
    staticUrl: `https://files.example/${shortcode}.png`,
    visibleInPicker: shortcode === 'teal',
  }));
  for (const emoji of [teal!, hidden!]) await site.gateway.actors.call(Instance.putEmoji.to(instanceKey, emoji));
  const completionsOf = async (word: string) => {
    const shown = await alice.ask(`/web/completions?word=${encodeURIComponent(word)}`);
    expect(shown.status).toBe(200);
    return textsIn(shown.html);
  };
  expect((await completionsOf('@bo')).sort()).toEqual(['@bob', '@bobby']);
  expect((await completionsOf('#bird')).sort()).toEqual(['#birdhouses', '#birds']);
  expect(await completionsOf(':te')).toEqual([':teal:']);
  for (const nothing of ['', '@', 'bob', '@nobody', ':TEAPOT', '<b>']) expect(await completionsOf(nothing)).toEqual([]);
});

test('completions are for members', async () => {
  const site = new Site();
  expect((await site.stranger.ask('/web/completions?word=%40bo')).status).toBe(303);
});

test('the language of a post is the usual one, or the one that its writer chose', async () => {
  const site = new Site();
  const alice = await site.person('alice', { locale: 'en', defaultLanguage: 'de' });
  const languageOf = (id: string) => findStatus(site.gateway.services.snapshots, parseId(id)!)?.status.language;
  const { html } = await alice.ask('/');
  expect(html).toContain('<option value="de" selected>German</option>');
  expect(languageOf(await alice.write('Ein Zaunkönig'))).toBe('de');
  const wren = await alice.write('A wren', { language: 'en' });
  expect(languageOf(wren)).toBe('en');
  expect(languageOf(await alice.write('Nonsense', { language: 'no language' }))).toBe('de');

  const form = await alice.ask(`/web/statuses/${wren}/edit`);
  expectStrict(form);
  expect(form.html).toMatch(/<details data-extra open><summary[^>]*>Language/);
  expect(form.html).toContain('<option value="en" selected>English</option>');
  await alice.act(`/web/statuses/${wren}/edit`, { status: 'Un roitelet', language: 'fr' });
  expect(languageOf(wren)).toBe('fr');
  await alice.act(`/web/statuses/${wren}/edit`, { status: 'Un petit roitelet' });
  expect(languageOf(wren)).toBe('fr');
});

test('an empty home proposes people and hashtags, until there is something to read', async () => {
  const site = new Site();
  const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  await site.changeProfile(bob, { discoverable: true });
  await bob.write('A wren #birds');
  await carol.write('A nest #birds');
  const shown = await alice.ask('/');
  expectStrict(shown);
  expect(textOf(shown.html)).toContain('It is quiet here');
  expect(shown.html).toContain(`formaction="/web/accounts/${bob.id}/follow"`);
  expect(textOf(shown.html)).toContain('Hashtags that many use now');
  expect(shown.html).toContain('href="/tags/birds"');
  await alice.act(`/web/accounts/${bob.id}/follow`);
  expect(textOf((await alice.ask('/')).html)).not.toContain('It is quiet here');
});

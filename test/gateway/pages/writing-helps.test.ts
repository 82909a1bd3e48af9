/** What helps a writer: completions of a word, the language of a post; and what a new account is shown at home. */

import { expect, test } from 'vitest';
import { findStatus } from '../../../src/actors/account/status-views.queries.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { publishAnnouncement } from '../../../src/operations/administration/announcements.ts';
import { operator } from '../../../src/operations/caller.ts';
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

test('one chooses from the emojis of the server by category, and from ordinary ones', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  expect((await alice.ask('/')).html).toContain('data-emojis="written" aria-expanded="false" hidden>');
  for (const [shortcode, category] of [
    ['owl', 'Birds'],
    ['teal', 'Birds'],
    ['blob', undefined],
    ['secret', 'Birds'],
  ] as const) {
    const url = `https://files.example/${shortcode}.png`;
    const emoji = { shortcode, url, staticUrl: url, visibleInPicker: shortcode !== 'secret', category };
    await site.gateway.actors.call(Instance.putEmoji.to(instanceKey, emoji));
  }
  const { status, html } = await alice.ask('/web/emojis');
  expect(status).toBe(200);
  const groups = [...html.matchAll(/<section aria-label="([^"]+)">.*?<\/section>/gs)];
  const shown = groups.map(([group, name]) => [name, textsIn(group).length]);
  expect(shown.slice(0, 2)).toEqual([
    ['Of this server', 1],
    ['Birds', 2],
  ]);
  expect(html).toContain('data-text="🦉" title="owl" aria-label="owl">🦉</button>');
  // One may react with each of them.
  const context = { caller: operator, services: site.gateway.services };
  const { announcementId } = await publishAnnouncement(context, { text: 'Hello', allDay: false });
  for (const reaction of [':owl:', '🦉'])
    expect((await alice.act(`/web/announcements/${announcementId}/react`, { reaction })).status).toBe(303);
  await alice.act(`/web/announcements/${announcementId}/dismiss`);
  const all = await alice.ask('/announcements');
  expectStrict(all);
  expect(all.html).toContain('value="🦉" aria-pressed="true">🦉 1<');
  expect(all.html).not.toContain('/dismiss"');
  const refused = await alice.act(`/web/announcements/${announcementId}/react`, { reaction: 'bread' });
  expect([refused.status, textOf(refused.html).includes('This is not an emoji.')]).toEqual([422, true]);
  expect(textsIn(html).filter((text) => !/^(?::[a-z]+:|\p{RGI_Emoji})$/v.test(text))).toEqual([]);
  expect((await site.stranger.ask('/web/emojis')).status).toBe(303);
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

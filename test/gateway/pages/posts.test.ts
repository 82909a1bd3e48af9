/** What one does about a post: have it translated, see who reacted and what was edited, mute its conversation, filter it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { createTranslation } from '../../../src/outbound/translation/translation-role.ts';
import { networkTranslator } from '../../../src/services/network-translator.ts';
import { startTranslator } from '../../support/libre-translate.ts';
import { ownMedia } from '../../support/own-media.ts';
import { plainPost } from '../../support/plain-post.ts';
import { until } from '../../support/until.ts';
import { Site, textOf, titleOf } from './site.ts';
import { expectStrict } from './strict.ts';

async function people() {
  const site = new Site();
  const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  return { site, alice, bob, carol };
}

describe('translation', () => {
  async function translating() {
    const { site, alice, bob } = await people();
    const translator = await startTranslator();
    const options = { ...site.gateway.services.options, translationOrigin: translator.origin, translationKey: '' };
    const { answerers, close } = createTranslation({ options });
    onTestFinished(async () => {
      await close();
      await translator.close();
    });
    const ask = async <Reply>(_index: number, topic: string, request: unknown) =>
      (await new Map(answerers).get(topic)!(request)) as Reply;
    Object.assign(site.gateway.services, {
      translator: networkTranslator(ask),
      cleanHtml: (html: string) => Promise.resolve(html),
    });
    const id = await alice.write('Gute <Nacht>', { language: 'de', spoiler_text: 'Leise' });
    const path = `/web/statuses/${id}/translate`;
    const isOffered = async (who: typeof bob | typeof site.stranger) =>
      (await who.ask(`/@alice/${id}`)).html.includes(path);
    return { site, alice, bob, translator, id, path, isOffered };
  }

  test('is offered for another language, once it is known which ones there are', async () => {
    const { site, alice, bob, isOffered } = await translating();
    await until(() => isOffered(bob));
    expect(textOf((await bob.ask('/public/local')).html)).toContain('Translate from German');
    expect(await isOffered(site.stranger)).toBe(false);
    const own = await alice.write('Good night', { language: 'en' });
    const few = await alice.write('Gute Nacht', { language: 'de', visibility: 'private' });
    const other = await alice.write('Bonne nuit', { language: 'fr' });
    for (const one of [own, few, other])
      expect((await alice.ask(`/@alice/${one}`)).html).not.toContain(`/web/statuses/${one}/translate`);
  });

  test('is a piece of the page for its script, which leads back to the original', async () => {
    const { bob, id, path, isOffered } = await translating();
    await until(() => isOffered(bob));
    const translated = await bob.act(`${path}?at=77`, { answer: 'fragment' });
    expect(translated.html).toMatch(new RegExp(`^<article class="status" data-status="${id}"`));
    expect(translated.html).toContain('Gute &lt;Nacht&gt;</p> (en)');
    expect(textOf(translated.html)).toMatch(/Leise \(en\).*Translated from German · Show the original/);
    const back = `/web/statuses/${id}/original?at=77`;
    expect(translated.html).toContain(`formaction="${back}" data-changes`);
    expect((await bob.act(back, { answer: 'fragment' })).html).toContain(`${path}?at=77`);
  });

  test('is a page without a script, and a sentence where it fails', async () => {
    const { bob, id, path, translator } = await translating();
    const page = await bob.act(path);
    expect([page.status, page.html.includes(`<a href="/@alice/${id}">Show the original</a>`)]).toEqual([200, true]);
    translator.fault = { status: 500, body: '' };
    const another = await bob.write('Hallo', { language: 'de' });
    const failed = await bob.act(`/web/statuses/${another}/translate`);
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect((await bob.act('/web/statuses/1/translate')).status).toBe(404);
  });
});

test('the page of a post leads to who has favourited, boosted and quoted it', async () => {
  const { site, alice, bob, carol } = await people();
  const id = await alice.write('A wren');
  await bob.act(`/web/statuses/${id}/favourite`);
  await carol.act(`/web/statuses/${id}/reblog`);
  const post = (await site.stranger.ask(`/@alice/${id}`)).html;
  expect(post).toContain(`<a href="/@alice/${id}/favourites">1 favourite</a>`);
  expect(post).toContain(`<a href="/@alice/${id}/reblogs">1 boost</a>`);
  const named = async (name: string) => {
    const [list = ''] =
      /<ul class="timeline people".*?<\/ul>/s.exec((await site.stranger.ask(`/@alice/${id}/${name}`)).html) ?? [];
    return [...list.matchAll(/href="\/@(\w+)"/g)].map(([, one]) => one);
  };
  expect([await named('favourites'), await named('reblogs')]).toEqual([['bob'], ['carol']]);
  expect((await bob.ask(`/@bob/${id}/favourites`)).status).toBe(404);
  const few = await alice.write('For few', { visibility: 'direct' });
  for (const name of ['favourites', 'reblogs', 'history'])
    expect((await bob.ask(`/@alice/${few}/${name}`)).status).toBe(404);
});

test('an edited post says what each edit has changed', async () => {
  const { alice, bob } = await people();
  const id = await alice.write('The quick brown fox', { spoiler_text: 'Fast' });
  await alice.act(`/web/statuses/${id}/edit`, { status: 'The slow brown <fox>', spoiler_text: 'Fast' });
  const history = `/@alice/${id}/history`;
  expect((await bob.ask(`/@alice/${id}`)).html).toContain(`<a href="${history}">Edited `);
  const { html } = await bob.ask(history);
  const [latest, first] = html.split('<li class="entry">').slice(1);
  expect(latest).toContain(
    'The <del><span class="unseen">(removed) </span>quick</del><ins><span class="unseen">(added) </span>slow</ins> brown ',
  );
  expect(latest).toContain('&lt;</ins>fox<ins>');
  expect(textOf(first!)).toContain('Fast The quick brown fox');
  expect(first).not.toContain('<ins>');
  for (let edit = 0; edit < 21; edit += 1)
    await alice.act(`/web/statuses/${id}/edit`, { status: `The fox, ${edit}`, spoiler_text: '' });
  const many = (await bob.ask(history)).html;
  expect(many.split('<li class="entry">').length - 1).toBe(20);
  expect(many).toContain('Earlier edits are not shown.');
  expect(many).not.toContain('quick');
});

test('a muted conversation tells no more, until it is unmuted', async () => {
  const { alice, bob } = await people();
  const id = await alice.write('A question');
  const answerOf = (text: string) => bob.write(`@alice ${text}`, { in_reply_to_id: id });
  const muted = await alice.act(`/web/statuses/${id}/mute`, { answer: 'fragment' });
  expect(muted.html).toContain(`/web/statuses/${id}/unmute`);
  await answerOf('quietly');
  expect((await alice.ask('/notifications')).html).not.toContain('quietly');
  await alice.act(`/web/statuses/${id}/unmute`);
  await answerOf('aloud');
  expect((await alice.ask('/notifications')).html).toContain('aloud');
});

test('one post is put behind a filter, and taken from it', async () => {
  const { alice, bob } = await people();
  const id = await alice.write('The ending');
  const path = `/web/statuses/${id}/filter`;
  expect((await bob.ask(`/@alice/${id}`)).html).toContain(`href="${path}"`);
  expect(textOf((await bob.ask(path)).html)).toContain('You have no filter yet.');
  await bob.act('/web/filters', { title: 'Later', context: 'account', action: 'warn', lifetime: 'ever' });
  const filter = /name="filter" value="(\d+)"/.exec((await bob.ask(path)).html)![1]!;
  expect((await bob.act(path, { filter })).location).toBe('/filters?done=changed');
  expect((await bob.ask(path)).html).toContain(`value="${filter}" checked`);
  expect(textOf((await bob.ask('/@alice')).html)).toContain('Filtered: Later');
  await bob.act(path);
  expect(textOf((await bob.ask('/@alice')).html)).not.toContain('Filtered');
  expect((await bob.ask('/web/statuses/1/filter')).status).toBe(404);
});

test('what a filter hides in threads is folded away on its own page', async () => {
  const { alice, bob } = await people();
  const id = await alice.write('The ending is sad');
  const fields = { title: 'Spoilers', context: 'thread', rows: '1', keyword_0: 'ending', lifetime: 'ever' };
  await bob.act('/web/filters', { ...fields, action: 'hide' });
  const { status, html } = await bob.ask(`/@alice/${id}`);
  expect([status, textOf(html).includes('Filtered: Spoilers'), html.includes('The ending is sad')]).toEqual([
    ...[200, true, true],
  ]);
  const own = await bob.write('My ending');
  expect(textOf((await bob.ask(`/@bob/${own}`)).html)).not.toContain('Filtered');
});

describe('deleting a post to write it anew', () => {
  test('shows the form with all that it said, and its media can be attached again', async () => {
    const { site, alice, bob } = await people();
    const parent = await bob.write('A question');
    const picture = ownMedia(site.gateway.actors, alice.id, { type: 'image', url: 'a.png', mediaType: 'image/png' });
    const given = { status: '@bob An <answer>', spoiler_text: 'Careful', visibility: 'unlisted', language: 'de' };
    const media = { media_ids: String(picture.id), [`description_${picture.id}`]: 'A shore' };
    await alice.act('/web/statuses', { ...given, ...media, in_reply_to_id: parent, reply_policy: 'mentioned' });
    const [, id] = /id="status-(\d+)"/.exec((await alice.ask('/@alice?replies=1')).html)!;
    const path = `/web/statuses/${id}/redraft`;
    expect((await alice.ask(`/@alice/${id}`)).html).toContain(`formaction="${path}">Delete and write anew`);
    expect((await bob.ask(`/@alice/${id}`)).html).not.toContain(path);
    for (const [who, status] of [
      [bob, 404],
      [site.stranger, 303],
    ] as const)
      expect((await who.ask(path, { form: { form_token: await bob.formToken() } })).status).toBe(status);

    const form = await alice.act(path);
    expect([form.status, titleOf(form)]).toEqual([200, 'Write it anew · Murmuration']);
    expectStrict(form);
    for (const piece of [
      '>@bob An &lt;answer&gt;</textarea>',
      'name="spoiler_text" dir="auto" value="Careful"',
      `name="in_reply_to_id" value="${parent}"`,
      `name="return_to" value="/@bob/${parent}"`,
      `name="media_ids" value="${picture.id}"`,
      '>A shore</textarea>',
      ...['unlisted', 'de', 'mentioned'].map((one) => `<option value="${one}" selected>`),
      ' data-only-here>',
    ])
      expect(form.html).toContain(piece);
    expect((await alice.ask(`/@alice/${id}`)).status).toBe(404);
    expect((await alice.act(path)).status).toBe(404);
    expect((await alice.ask(path)).location).toBe('/');

    await alice.act('/web/statuses', { ...given, ...media, in_reply_to_id: parent });
    expect((await alice.ask('/@alice?replies=1')).html).toContain('alt="A shore"');
  });

  test('asks a poll again for about as long', async () => {
    const { alice } = await people();
    const fields = { poll: '1', poll_expires_in: '21600', poll_multiple: '1' };
    const form = new URLSearchParams({ form_token: await alice.formToken(), status: 'Which of them?', ...fields });
    for (const option of ['One', 'Two']) form.append('poll_option', option);
    await alice.ask('/web/statuses', { form });
    const [, id] = /id="status-(\d+)"/.exec((await alice.ask('/@alice')).html)!;
    const { html } = await alice.act(`/web/statuses/${id}/redraft`);
    expect(html).toMatch(/value="One"[\s\S]*value="Two"[\s\S]*<option value="21600" selected>/);
    expect(html).toContain('name="poll_multiple" value="1" checked');
    expect(html).not.toContain('<option value="">');
  });
});

test('media and warned posts are covered as their reader wants', async () => {
  const { site, alice, bob, carol } = await people();
  const { actors } = site.gateway;
  const picture = () =>
    ownMedia(actors, alice.id, { type: 'image', url: 'https://files.example/a.png', mediaType: 'image/png' });
  for (const [text, more] of [
    ['plain', {}],
    ['sensitive', { sensitive: true }],
    ['warned', { sensitive: true, spoilerText: 'Birds' }],
  ] as const) {
    actors.clock.advance(1_000);
    await actors.call(Account.publish.to(alice.id, plainPost(text, { ...more, attachments: [picture()] })));
  }
  /** Of each post, newest first: C for what is covered, O for what is open. */
  const covers = async (who: Pick<typeof bob, 'ask'>) => {
    const page = await who.ask('/@alice');
    expectStrict(page);
    const posts = page.html.match(/<article.*?<\/article>/gs)!;
    return posts.map(
      (post) =>
        post
          .match(/<details class="covered"(?: open)?>/g)
          ?.map((one) => (one.includes('open') ? 'O' : 'C'))
          .join('') ?? '',
    );
  };
  const wants = (media: string, more = {}) => bob.act('/web/settings/preferences', { expand_media: media, ...more });
  expect(await covers(bob)).toEqual(['C', 'C', '']);
  await wants('show_all');
  expect(await covers(bob)).toEqual(['C', '', '']);
  await wants('hide_all');
  expect(await covers(bob)).toEqual(['C', 'C', 'C']);
  expect((await bob.ask('/@alice')).html).toContain('dir="auto">Pictures and other media<');
  await wants('show_all', { expand_spoilers: '1' });
  expect(await covers(bob)).toEqual(['O', '', '']);
  await wants('default', { expand_spoilers: '1' });
  expect(await covers(bob)).toEqual(['OC', 'C', '']);
  for (const other of [carol, site.stranger]) expect(await covers(other)).toEqual(['C', 'C', '']);
});

test('what replaces a GIF plays by itself until its reader chooses otherwise', async () => {
  const { site, alice, bob, carol } = await people();
  const { actors } = site.gateway;
  const gif = ownMedia(actors, alice.id, { type: 'gifv', url: 'https://files.example/a.mp4', mediaType: 'video/mp4' });
  await actors.call(Account.publish.to(alice.id, plainPost('A crane dances', { attachments: [gif] })));
  const film = async (who: Pick<typeof bob, 'ask'>) => {
    const page = await who.ask('/@alice');
    expectStrict(page);
    const [markup] = /<video [^>]*>/.exec(page.html)!;
    return {
      plays: markup.includes('data-plays'),
      isSilent: markup.includes(' loop muted'),
      canBeStarted: markup.includes(' controls'),
    };
  };
  expect(await film(bob)).toEqual({ plays: true, isSilent: true, canBeStarted: true });
  expect((await bob.ask('/settings/preferences')).html).toContain('name="autoplay_gifs" value="1" checked');
  await bob.act('/web/settings/preferences', { expand_media: 'default' });
  expect((await bob.ask('/settings/preferences')).html).not.toContain('name="autoplay_gifs" value="1" checked');
  expect(await film(bob)).toEqual({ plays: false, isSilent: true, canBeStarted: true });
  for (const other of [carol, site.stranger]) expect((await film(other)).plays).toBe(true);
  await bob.act('/web/settings/preferences', { expand_media: 'default', autoplay_gifs: '1' });
  expect((await film(bob)).plays).toBe(true);
});

test('what a new post is like by default is chosen in the settings', async () => {
  const { alice } = await people();
  const given = { privacy: 'unlisted', language: 'fr', sensitive: '1', expand_media: 'owls' };
  expect((await alice.act('/web/settings/preferences', given)).location).toBe('/settings/preferences?done=1');
  const page = await alice.ask('/settings/preferences?done=1');
  expectStrict(page);
  expect(page.html).toContain('<option value="unlisted" selected>');
  expect(page.html).toContain('<option value="fr" selected>French</option>');
  expect(page.html).toMatch(/name="sensitive" value="1" checked/);
  expect(page.html).toMatch(/name="expand_media" value="default" checked/);
  const { html } = await alice.ask('/');
  expect(html).toContain('<option value="unlisted" selected>');
  expect(html).toContain('<option value="fr" selected>French</option>');
  await alice.act('/web/settings/preferences', { privacy: 'everybody', language: '' });
  const after = await alice.ask('/settings/preferences');
  expect(after.html).toContain('<option value="unlisted" selected>');
  expect(after.html).toContain('<option value="en">English</option>');
  expect(after.html).not.toMatch(/name="sensitive" value="1" checked/);
});

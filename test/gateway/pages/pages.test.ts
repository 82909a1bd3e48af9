import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory } from '../../../src/actors/directory/directory.messages.ts';
import { publishAnnouncement } from '../../../src/operations/administration/announcements.ts';
import { operator } from '../../../src/operations/caller.ts';
import { changeFilter } from '../../../src/operations/filters/change-filter.ts';
import { unlimited } from '../../../src/operations/rate-limits.ts';
import { testProfile } from '../../support/profile.ts';
import { host, metaOf, Site, textOf, titleOf } from './site.ts';
import { expectStrict } from './strict.ts';

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

describe('the front page', () => {
  test('tells a stranger what the server is and what is new on it', async () => {
    const site = new Site();
    await site.settings({ title: 'Reeds & Rushes', description: 'A server for <marsh> birds' });
    const alice = await site.person('alice');
    await alice.write('Something for everybody');
    await alice.write('Something for my followers', { visibility: 'private' });

    const page = await site.stranger.ask('/');
    expectStrict(page);
    expect(titleOf(page)).toBe('Reeds &amp; Rushes');
    expect(page.html).toContain('A server for &lt;marsh&gt; birds');
    expect(page.html).toContain('href="/auth/sign_up"');
    expect(page.html).toContain('href="/auth/sign_in?return_to=%2F"');
    expect(textOf(page.html)).toContain('Something for everybody');
    expect(page.html).not.toContain('Something for my followers');
    expect(page.html).not.toContain('form_token');
    expect(page.headers.get('set-cookie')).toBeNull();
  });

  test.each([
    ['open', 'Create an account'],
    ['approval', 'Ask for an account'],
    ['closed', undefined],
  ] as const)('where registrations are %s it says %s', async (registrations, words) => {
    const site = new Site();
    await site.settings({ registrations });
    const { html } = await site.stranger.ask('/');
    expect(html.includes('href="/auth/sign_up"')).toBe(words !== undefined);
    if (words !== undefined) expect(html).toContain(words);
  });

  test('is the home of whoever is signed in', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await bob.act(`/web/accounts/${alice.id}/follow`);
    const id = await alice.write('To those who follow me', { visibility: 'private' });

    const page = await bob.ask('/');
    expectStrict(page);
    expect(page.html).toContain('To those who follow me');
    expect(page.html).toContain(`data-live="/web/live?list=home&amp;since=${id}"`);
    expect(page.html).toContain('name="status"');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  test('begins with what the staff announces, until it is dismissed', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const context = { caller: operator, services: site.gateway.services };
    const { announcementId } = await publishAnnouncement(context, { text: 'Bring <bread>', allDay: false });
    await alice.act(`/web/announcements/${announcementId}/react`, { reaction: '🐦' });
    const page = await alice.ask('/');
    expectStrict(page);
    expect(page.html).toContain('<p>Bring &lt;bread&gt;</p>');
    expect(page.html).toMatch(/unreact" name="reaction" value="🐦" aria-pressed="true">🐦 1</);
    expect((await site.stranger.ask('/')).html).not.toContain('bread');
    await alice.act(`/web/announcements/${announcementId}/dismiss`);
    expect((await alice.ask('/')).html).not.toContain('bread');
  });

  test('leaves muted people out, and pages through the rest', async () => {
    const site = new Site();
    const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
    for (const other of [bob, carol]) await alice.act(`/web/accounts/${other.id}/follow`);
    for (let number = 1; number <= 21; number += 1) await bob.write(`Number ${number}.`);
    await carol.write('Louder than the rest');
    const mute = { targetId: carol.id, hideNotifications: true, durationSeconds: 0 };
    await site.gateway.actors.call(Account.mute.to(alice.id, mute));

    const first = await alice.ask('/');
    expect(first.html).not.toContain('Louder than the rest');
    expect(textOf(first.html)).toContain('Number 21.');
    const next = /rel="next" href="([^"]+)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    const second = await alice.ask(`/${next}`);
    expect(textOf(second.html)).toContain('Number 1.');
    expect(second.html).not.toContain('name="status"');
    expect(second.html).not.toContain('rel="next"');
  });
});

describe('a profile', () => {
  test('shows what its owner wrote as text, never as markup', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await site.changeProfile(alice, {
      displayName: hostile,
      noteHtml: '<p>I like <a href="https://alice.example" rel="nofollow noopener">birds</a></p>',
      fields: [{ name: hostile, value: 'x', html: 'x', verifiedAt: 1 }],
    });
    await alice.write(hostile, { spoiler_text: hostile });

    const page = await site.stranger.ask('/@alice');
    expectStrict(page);
    expect(page.html).toContain('<a href="https://alice.example" rel="nofollow noopener">birds</a>');
    expect(page.html).toContain('&lt;script&gt;');
    expect(page.html).toContain('Verified:');
    expect(titleOf(page)).toContain('&lt;script&gt;');
    expectStrict(await alice.ask('/'));
  });

  test('says where it is for other programs', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await site.changeProfile(alice, { displayName: 'Alice', noteHtml: '<p>One</p><p>Two &amp; three</p>' });
    const page = await site.stranger.ask('/@alice?max_id=5');
    expect(titleOf(page)).toBe(`Alice (@alice@${host}) · Murmuration`);
    expect(page.headers.get('link')).toBe(
      `<https://${host}/users/alice>; rel="alternate"; type="application/activity+json"`,
    );
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.html).toContain(`<link rel="canonical" href="https://${host}/@alice">`);
    expect(metaOf(page, 'og:type')).toBe('profile');
    expect(metaOf(page, 'og:description')).toBe('One Two &amp; three');
    expect(metaOf(page, 'og:image')).toMatch(new RegExp(`^https://${host}/avatars/\\d+\\.png$`));
    expect(metaOf(page, 'profile:username')).toBe(`alice@${host}`);
  });

  test('is indexed by search engines only if its owner agreed', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await site.changeProfile(alice, { indexable: false });
    expect(metaOf(await site.stranger.ask('/@alice'), 'robots')).toBe('noindex');
    await site.changeProfile(alice, { indexable: true });
    expect(metaOf(await site.stranger.ask('/@alice'), 'robots')).toBeUndefined();
  });

  test('shows replies to others on its second tab only', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const question = await bob.write('A question');
    await alice.write('An answer', { in_reply_to_id: question });
    expect((await site.stranger.ask('/@alice')).html).not.toContain('An answer');
    const page = await site.stranger.ask('/@alice?replies=1');
    expect(page.html).toContain('An answer');
    expect(page.html).toContain(`<a href="/@bob/${question}">In reply to`);
  });

  test.each([
    ['bob sees a button', 'bob', 'Follow</button>'],
    ['alice sees none on her own', 'alice', undefined],
    ['a stranger is told how', undefined, `<code>@alice@${host}</code>`],
  ])('%s', async (_, viewer, expected) => {
    const site = new Site();
    const people = { alice: await site.person('alice'), bob: await site.person('bob') };
    const { html } = await (people[viewer as 'alice'] ?? site.stranger).ask('/@alice');
    if (expected === undefined) expect(html).not.toContain('data-follow');
    else expect(html).toContain(expected);
  });

  test('of nobody is not found, of somebody suspended is gone, of somebody unconfirmed is not found yet', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await site.person('bob', { confirmed: false });
    await site.gateway.actors.call(Account.changeLogin.to(alice.id, { suspended: true }));
    const answers = await Promise.all(['/@nobody', '/@alice', '/@bob'].map((path) => site.stranger.ask(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 410, 404]);
    for (const page of answers) {
      expectStrict(page);
      expect(metaOf(page, 'robots')).toBe('noindex');
      expect(page.html).toContain('<a class="brand" href="/">');
    }
  });
});

describe('a post', () => {
  test('shows the parts of what its author wrote before the answers of others, none under another', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('1/3');
    const write = (who: typeof alice, words: string, parent: string) => who.write(words, { in_reply_to_id: parent });
    const first = await write(bob, 'First!', id);
    const two = await write(alice, '2/3', id);
    const aside = await write(bob, 'Aside', two);
    const three = await write(alice, '3/3', two);
    const { html } = await site.stranger.ask(`/@alice/${id}`);
    const shown = [...html.matchAll(/depth-(\d)" id="status-(\d+)"/g)].map(([, depth, one]) => [one, depth]);
    expect(shown).toEqual([
      [two, '0'],
      [three, '1'],
      [first, '0'],
      [aside, '0'],
    ]);
  });

  test('stands in its thread, with what it answers and what answers it', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    const root = await alice.write('The beginning');
    const middle = await bob.write('The middle', { in_reply_to_id: root });
    const end = await alice.write('The end', { in_reply_to_id: middle });
    await bob.write('After it', { in_reply_to_id: end });

    const page = await site.stranger.ask(`/@bob/${middle}`);
    expectStrict(page);
    const text = textOf(page.html);
    const places = ['The beginning', 'The middle', 'The end', 'After it'].map((words) => text.lastIndexOf(words));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(page.html).toContain(`class="entry focus" id="status-${middle}"`);
    expect(page.html).toContain(`class="entry depth-1"`);
    expect(page.html).not.toContain('name="in_reply_to_id"');
    expect(page.headers.get('link')).toContain(`<https://${host}/users/bob/statuses/${middle}>; rel="alternate"`);
    expect(titleOf(page)).toBe('bob: The middle · Murmuration');
    expect(metaOf(page, 'og:url')).toBe(`https://${host}/@bob/${middle}`);
  });

  test('may be answered by whoever is signed in, who finds the conversation mentioned', async () => {
    const site = new Site();
    const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
    const id = await alice.write('@bob @carol Are you there?', { visibility: 'unlisted' });
    const { html } = await bob.ask(`/@alice/${id}`);
    expect(html).toMatch(/<textarea[^>]*>@alice @carol <\/textarea>/);
    expect(html).toContain(`name="in_reply_to_id" value="${id}"`);
    expect(html).toContain('<option value="unlisted" selected>');
    expect((await carol.ask(`/@alice/${id}`)).html).toMatch(/<textarea[^>]*>@alice @bob <\/textarea>/);
  });

  test.each([
    ['public', 'public', 'public'],
    ['public', 'private', 'private'],
    ['unlisted', 'public', 'unlisted'],
    ['unlisted', 'private', 'private'],
    ['private', 'unlisted', 'private'],
    ['direct', 'private', 'direct'],
  ] as const)('that is %s is answered by who writes %s as %s', async (visibility, defaultPrivacy, expected) => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob', { defaultPrivacy })];
    await bob.act(`/web/accounts/${alice.id}/follow`);
    const { html } = await bob.ask(`/@alice/${await alice.write('@bob Are you there?', { visibility })}`);
    expect(html).toContain(`<option value="${expected}" selected>`);
  });

  test('keeps what is behind its warning out of titles and previews', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    const id = await alice.write('The gardener did it', { spoiler_text: 'The last chapter' });
    const page = await site.stranger.ask(`/@alice/${id}`);
    expect(titleOf(page)).toBe('alice: The last chapter · Murmuration');
    expect(metaOf(page, 'og:description')).toBe('The last chapter');
    expect(page.html.match(/The gardener did it/g)).toHaveLength(1);
  });

  test.each([
    ['its followers', 'private', { alice: 200, bob: 200, stranger: 404 }],
    ['those whom it mentions', 'direct', { alice: 200, bob: 404, stranger: 404 }],
    ['everybody', 'unlisted', { alice: 200, bob: 200, stranger: 200 }],
  ])('for %s (%s)', async (_, visibility, expected) => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await bob.act(`/web/accounts/${alice.id}/follow`);
    const id = await alice.write('For some', { visibility });
    const statuses = await Promise.all([alice, bob, site.stranger].map((guest) => guest.ask(`/@alice/${id}`)));
    expect(statuses.map(({ status }) => status)).toEqual(Object.values(expected));
  });

  test('is found under its author only', async () => {
    const site = new Site();
    const [alice] = [await site.person('alice'), await site.person('bob')];
    const id = await alice.write('Mine');
    const answers = await Promise.all([`/@bob/${id}`, '/@alice/1', '/@alice/x'].map((path) => site.stranger.ask(path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('shows its own direction and language', async () => {
    const site = new Site();
    const alice = await site.person('alice', { defaultLanguage: 'ar' });
    const id = await alice.write('مساء الخير');
    expect((await site.stranger.ask(`/@alice/${id}`)).html).toContain('<div class="content" dir="auto" lang="ar">');
  });
});

describe('other pages', () => {
  test('a tag shows what everybody may read of it', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await alice.write('One for the list #Birds');
    await alice.write('One for few #birds', { visibility: 'private' });
    const page = await site.stranger.ask('/tags/Birds');
    expectStrict(page);
    expect(page.html).toContain('One for the list');
    expect(page.html).not.toContain('One for few');
    expect(page.html).toContain(`<link rel="canonical" href="https://${host}/tags/birds">`);
    expect((await site.stranger.ask('/tags/not%20a%20tag')).status).toBe(404);
    expect((await site.stranger.ask(`/tags/${encodeURIComponent(hostile)}`)).status).toBe(404);
  });

  test('people without a picture differ by letters', async () => {
    const site = new Site();
    const alice = await site.person('alice');
    await site.changeProfile(alice, { displayName: '  <b> "Élise"' });
    expect((await site.stranger.ask('/@alice')).html).toMatch(/<svg class="avatar tint-\d" [^>]*>.*?>BÉ<\/text>/);
    await site.changeProfile(alice, { displayName: '🐦' });
    expect((await site.stranger.ask('/@alice')).html).toContain('>A</text>');
  });

  test('people, hashtags and what is at an address are found', async () => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await site.changeProfile(alice, { displayName: 'Alice of the <Marsh>' });
    await bob.act(`/web/accounts/${alice.id}/follow`);
    const page = await bob.ask('/web/find?handle=marsh');
    expectStrict(page);
    expect(page.html).toContain(`<span class="answer" id="answer-${alice.id}">`);
    expect(page.html).toContain('Alice of the &lt;Marsh&gt;');
    expect((await bob.ask('/web/find')).html).toContain('spellcheck="false" required autofocus>');
    const id = await alice.write('On #marshland');
    expect((await bob.ask('/web/find?handle=%23marsh')).html).toContain('href="/tags/marshland"');
    const address = encodeURIComponent(`https://${host}/@alice/${id}`);
    expect((await bob.ask(`/web/find?handle=${address}`)).location).toBe(`/@alice/${id}`);
    const profile = encodeURIComponent(`https://${host}/@alice`);
    expect((await bob.ask(`/web/find?handle=${profile}`)).location).toBe('/@alice');
    const nobody = await bob.ask(`/web/find?handle=${encodeURIComponent(hostile)}`);
    expect(nobody.status).toBe(404);
    expectStrict(nobody);
  });

  test('what is nowhere gets a page as well', async () => {
    const site = new Site();
    const page = await site.stranger.ask('/nothing/here?max_id=x');
    expect(page.status).toBe(404);
    expectStrict(page);
    expect(textOf(page.html)).toContain('There is nothing here');
  });

  test('somebody from elsewhere has a page for those who are signed in, and links away for the others', async () => {
    const site = new Site();
    const bob = await site.person('bob');
    const uri = 'https://elsewhere.example/users/erin';
    const { accountId: id } = await site.gateway.actors.call(
      Directory.learn.to(uri, {
        profile: testProfile({
          username: 'erin',
          domain: 'elsewhere.example',
          displayName: 'Erin',
          noteHtml: '<p>From afar</p>',
          locked: true,
          bot: true,
          indexable: true,
          remote: { uri, url: 'https://elsewhere.example/@erin', inbox: uri, publicKeyId: uri, publicKeyPem: '' },
        }),
      }),
    );
    const found = await bob.ask('/web/find?handle=%40erin%40Elsewhere.example');
    expect(found.location).toBe('/@erin@elsewhere.example');
    const page = await bob.ask(found.location!);
    expectStrict(page);
    expect(page.html).toContain('<p>From afar</p>');
    expect(page.html).toContain('Automated');
    expect(metaOf(page, 'robots')).toBe('noindex');
    expect(page.html).toContain('<link rel="canonical" href="https://elsewhere.example/@erin">');
    expect(page.html).toContain(`formaction="/web/accounts/${id}/follow"`);
    expect((await site.stranger.ask('/web/find?handle=erin')).location).toContain('/auth/sign_in');
  });
});

describe('filters of the reader', () => {
  const post = 'The <b>heron</b> is back';

  test.each([
    ['warn', ['home', 'public'], 'Filtered: Big birds', 'Filtered: Big birds'],
    ['warn', ['home'], 'Filtered: Big birds', post],
    ['hide', ['home', 'account'], undefined, post],
  ] as const)('%s in %j', async (action, contexts, atHome, inPublic) => {
    const site = new Site();
    const [alice, bob] = [await site.person('alice'), await site.person('bob')];
    await bob.act(`/web/accounts/${alice.id}/follow`);
    const id = await alice.write(post);
    const caller = { kind: 'account', accountId: bob.id, limits: unlimited } as const;
    const changes = { title: 'Big birds', contexts: [...contexts], action };
    const keywords = [{ keyword: 'heron', wholeWord: true }];
    await changeFilter({ caller, services: site.gateway.services }, { changes, keywords });
    const shownAs = async (person: typeof alice, path: string) => {
      const [article] =
        new RegExp(`<article class="status" data-status="${id}".*?</article>`, 's').exec(
          (await person.ask(path)).html,
        ) ?? [];
      if (article === undefined) return undefined;
      return /<span class="warning" dir="auto">([^<]*)</.exec(article)?.[1] ?? (article.includes('heron') ? post : '');
    };
    expect([await shownAs(bob, '/'), await shownAs(bob, '/public/local')]).toEqual([atHome, inPublic]);
    expect([await shownAs(alice, '/public/local'), await shownAs(bob, `/@alice/${id}`)]).toEqual([post, post]);
  });
});

/** The page of notifications: entries, unread state, and answering follow requests. */
import { expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { Directory } from '../../../src/actors/directory/directory.messages.ts';
import { webLimits } from '../../../src/gateway/pages/limits.ts';
import { testProfile } from '../../support/profile.ts';
import { addAccount } from '../../support/sign-up.ts';
import { type Person, Site, textOf, titleOf } from './site.ts';
import { expectStrict } from './strict.ts';

async function circle() {
  const site = new Site();
  return { site, alice: await site.person('alice'), bob: await site.person('bob') };
}

/** What each entry says, newest first. */
async function said(person: Person, path = '/notifications'): Promise<string[]> {
  const { html } = await person.ask(path);
  return [...html.matchAll(/<p class="context of-[a-z]+">.*?<\/span>(?= <time)/gs)].map(([entry]) =>
    textOf(entry).replaceAll(' ,', ','),
  );
}

const unreadMark = async (person: Person) =>
  /data-unread aria-label="unread"( hidden)?>([^<]*)</.exec((await person.ask('/about')).html)?.[2];

test('tells of everything that happened, and leads to the posts', async () => {
  const { alice, bob } = await circle();
  const id = await alice.write('The tide <is> out');
  await bob.act(`/web/accounts/${alice.id}/follow`);
  await bob.act(`/web/statuses/${id}/favourite`);
  await bob.act(`/web/statuses/${id}/reblog`);
  await bob.act('/web/statuses', { status: '@alice In a reply', in_reply_to_id: id });
  await bob.act('/web/statuses', { status: 'Hello @alice' });
  await bob.act('/web/statuses', { status: '@alice Between us', visibility: 'direct' });
  expect(await said(alice)).toEqual([
    'bob wrote to you (new)',
    'bob mentioned you (new)',
    'bob replied to you (new)',
    'bob boosted your post (new)',
    'bob favourited your post (new)',
    'bob follows you (new)',
  ]);
  expect(await said(alice, '/notifications/mentions')).toEqual([
    ...['bob wrote to you', 'bob mentioned you', 'bob replied to you'],
  ]);
  const page = await alice.ask('/notifications');
  expectStrict(page);
  expect(page.html).toContain(`<a href="/@alice/${id}" dir="auto">The tide &lt;is&gt; out</a>`);
  expect(textOf(page.html)).toContain('Between us');
  expect(page.html).toContain(`formaction="/web/accounts/${bob.id}/follow"`);
});

test('those of one kind are shown alone, in groups', async () => {
  const { site, alice, bob } = await circle();
  const carol = await site.person('carol');
  const id = await alice.write('A post');
  for (const one of [bob, carol]) await one.act(`/web/statuses/${id}/favourite`);
  await bob.act(`/web/accounts/${alice.id}/follow`);
  await bob.act('/web/statuses', { status: 'Hello @alice' });
  expect(await said(alice, '/notifications?kind=favourites')).toEqual(['carol and bob favourited your post (new)']);
  expect(await said(alice, '/notifications?kind=follows')).toEqual(['bob follows you (new)']);
  const none = await alice.ask('/notifications?kind=polls');
  expectStrict(none);
  expect(textOf(none.html)).toContain('There are none of these.');
  // What is not looked at is not read.
  expect([none.html.includes('data-read'), none.html.includes('data-live')]).toEqual([false, false]);
  expect(none.html).toMatch(/<a href="\/notifications" aria-current="true">.* Polls<\/a>/);
  expect(await said(alice, '/notifications?kind=owls')).toHaveLength(3);
  for (const name of ['dora', 'erin']) await (await site.person(name)).act(`/web/statuses/${id}/favourite`);
  const { html } = await alice.ask('/notifications?kind=favourites');
  expect(html).toContain(`<a href="/@alice/${id}/favourites">1 other</a>`);
});

test('one row is dismissed, with all that it tells of', async () => {
  const { site, alice, bob } = await circle();
  const carol = await site.person('carol');
  const id = await alice.write('A post');
  for (const one of [bob, carol]) await one.act(`/web/statuses/${id}/favourite`);
  await bob.act('/web/statuses', { status: 'Hello @alice' });
  await bob.act(`/web/accounts/${alice.id}/follow`);
  const buttons = async () =>
    [...(await alice.ask('/notifications')).html.matchAll(/formaction="(\/web\/notifications\/dismiss[^"]+)"/g)].map(
      ([, path]) => path!.replaceAll('&amp;', '&'),
    );
  const [follow, mention, favourites] = await buttons();
  expect((await alice.act(favourites!, { return_to: '/notifications' })).location).toBe('/notifications');
  expect(await said(alice)).toEqual(['bob follows you (new)', 'bob mentioned you (new)']);
  const piece = await alice.act(mention!, { answer: 'fragment' });
  expect([piece.status, piece.html]).toEqual([200, '']);
  expect(await said(alice)).toEqual(['bob follows you (new)']);
  for (const path of [mention!, '/web/notifications/dismiss?group=nothing', '/web/notifications/dismiss'])
    expect((await alice.act(path)).status).toBe(303);
  expect((await bob.act(follow!)).status).toBe(303);
  expect(await buttons()).toEqual([follow]);
});

test('all are cleared at once, when that is confirmed', async () => {
  const { alice, bob } = await circle();
  expect((await alice.ask('/notifications')).html).not.toContain('/web/notifications/clear');
  await bob.act(`/web/accounts/${alice.id}/follow`);
  expect((await alice.ask('/notifications')).html).toContain('formaction="/web/notifications/clear">Clear them');
  expect((await alice.act('/web/notifications/clear')).location).toBe('/notifications');
  expect([await said(alice), await said(alice, '/notifications/mentions')]).toEqual([[], []]);
});

test('tells how many follows a hidden server has ended', async () => {
  const { site, alice } = await circle();
  const uri = 'https://there.example/users/carol';
  const remote = { uri, url: uri, inbox: `${uri}/inbox`, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: 'carol', domain: 'there.example', remote });
  const { actors } = site.gateway;
  const { accountId } = await actors.call(Directory.learn.to(uri, { profile }));
  await actors.call(Account.follow.to(accountId, { targetId: alice.id, options: {}, uri: `${uri}/follows/1` }));
  await actors.call(Account.blockDomain.to(alice.id, { domain: 'there.example', followed: [] }));
  expect((await said(alice))[0]).toBe(
    'You hid there.example: 1 follower and 0 accounts that you followed are gone (new)',
  );
  expectStrict(await alice.ask('/notifications'));
});

test('tells of a warning, with its whole text, also at the address that clients link to', async () => {
  const { site, alice, bob } = await circle();
  const text = `Be <kind>\nto birds ${'x'.repeat(1_000)}`;
  await site.gateway.actors.call(Account.warn.to(alice.id, { action: 'none', text }));
  expect(await said(alice)).toEqual(['The moderators of this server have warned you (new)']);
  expect(await unreadMark(alice)).toBe('1');
  const page = await alice.ask('/notifications');
  const id = /id="notification-(\d+)"/.exec(page.html)![1]!;
  const address = `/disputes/strikes/${id}`;
  const alone = await alice.ask(address);
  for (const shown of [page, alone]) {
    expectStrict(shown);
    expect(shown.html).toContain(`<p class="quoted plain-text" dir="auto">Be &lt;kind&gt;\nto birds xxx`);
    expect(shown.html).toContain(`${'x'.repeat(1_000)}</p>`);
  }
  expect(titleOf(alone)).toContain('Decision');
  expect(await said(alice, address)).toEqual(['The moderators of this server have warned you']);
  expect(await unreadMark(alice)).toBe('1');
  expect((await bob.ask(address)).status).toBe(404);
  expect((await site.stranger.ask(address)).location).toBe(`/auth/sign_in?return_to=${encodeURIComponent(address)}`);
});

test('warnings stay where clients link to, and in a list of their own, when their notifications are gone', async () => {
  const { site, alice, bob } = await circle();
  expect((await alice.ask('/settings')).html).not.toContain('/disputes/strikes');
  const empty = await alice.ask('/disputes/strikes');
  expectStrict(empty);
  expect(textOf(empty.html)).toContain('The moderators have done nothing about you.');
  for (const text of ['Be kind', 'Be kinder'])
    await site.gateway.actors.call(Account.warn.to(alice.id, { action: 'none', text }));
  const id = /id="notification-(\d+)"/.exec((await alice.ask('/notifications')).html)![1]!;
  await site.gateway.actors.call(Account.clearNotifications.to(alice.id, {}));
  expect(await said(alice)).toEqual([]);
  const one = await alice.ask(`/disputes/strikes/${id}`);
  const all = await alice.ask('/disputes/strikes');
  for (const shown of [one, all]) expectStrict(shown);
  expect([...one.html.matchAll(/dir="auto">(Be \w+)</g)].map(([, text]) => text)).toEqual(['Be kinder']);
  expect([...all.html.matchAll(/dir="auto">(Be \w+)</g)].map(([, text]) => text)).toEqual(['Be kinder', 'Be kind']);
  const older = await alice.ask(`/disputes/strikes?max_id=${id}`);
  expect([...older.html.matchAll(/dir="auto">(Be \w+)</g)].map(([, text]) => text)).toEqual(['Be kind']);
  expect((await alice.ask('/settings')).html).toContain('href="/disputes/strikes"');
  expect((await bob.ask(`/disputes/strikes/${id}`)).status).toBe(404);
  expect((await site.stranger.ask('/disputes/strikes')).location).toContain('/auth/sign_in');
});

test('an account appeals, also one that was suspended: it signs in, and sees nothing else', async () => {
  const { site, alice, bob } = await circle();
  const { actors } = site.gateway;
  const struck = await actors.call(Account.sanction.to(alice.id, { action: 'silence', text: 'Be kind', tells: true }));
  const address = `/disputes/strikes/${struck.strikeId}`;
  const form = `/web/strikes/${struck.strikeId}/appeal`;
  const refused = await alice.act(form, { text: 'x'.repeat(2_001) });
  expectStrict(refused);
  expect([refused.status, textOf(refused.html)]).toEqual([
    422,
    expect.stringContaining('there can be 2,000 characters'),
  ]);
  expect((await alice.act(form, { text: 'I <was>' })).location).toBe(address);
  const shown = await alice.ask(address);
  expectStrict(shown);
  expect(textOf(shown.html)).toContain('You have appealed. The moderators have not decided yet.');
  expect(shown.html).toContain('I &lt;was&gt;');
  expect(shown.html).not.toContain(`action="${form}"`);
  expect((await alice.act(form, { text: 'Again' })).status).toBe(422);
  const { strikeId } = await actors.call(Account.sanction.to(alice.id, { action: 'suspend', text: '', tells: true }));
  for (const page of ['/notifications', '/settings'])
    expect((await alice.ask(page)).location).toBe('/disputes/strikes');
  expect((await alice.ask('/')).html).not.toContain('class="member"');
  const all = await alice.ask('/disputes/strikes');
  expectStrict(all);
  expect(textOf(all.html)).toContain('Your account cannot be used at the moment.');
  expect(all.html).toContain(`href="/disputes/strikes/${strikeId}"`);
  expect((await alice.act(`/web/accounts/${bob.id}/report`)).location).toContain('/auth/sign_in');
  await alice.act(`/web/strikes/${strikeId}/appeal`, { text: 'Please' });
  expect(textOf((await alice.ask(`/disputes/strikes/${strikeId}`)).html)).toContain('Please');
});

test('the address of a warning shows no other notification', async () => {
  const { alice, bob } = await circle();
  await bob.act(`/web/accounts/${alice.id}/follow`);
  const id = /id="notification-(\d+)"/.exec((await alice.ask('/notifications')).html)![1]!;
  for (const unknown of [id, '1', 'x']) expect((await alice.ask(`/disputes/strikes/${unknown}`)).status).toBe(404);
});

test('tells staff of reports and sign-ups', async () => {
  const { site, alice, bob } = await circle();
  const { actors } = site.gateway;
  await actors.call(Account.changeLogin.to(alice.id, { role: 'moderator' }));
  const dora = await addAccount(actors, 'dora');
  actors.send(Account.notify.to(alice.id, { type: 'admin.sign_up', fromId: dora }));
  await bob.act(`/web/accounts/${dora}/report`, { category: 'spam', comment: 'Buy <this>' });
  expect(await said(alice)).toEqual(['bob reported dora (spam) (new)', 'dora signed up (new)']);
  const page = await alice.ask('/notifications');
  expectStrict(page);
  expect(page.html).toContain('Buy &lt;this&gt;');
});

test('groups favourites and boosts of a post, and follows, as the API does', async () => {
  const { site, alice, bob } = await circle();
  const people = [bob];
  for (const name of ['carol', 'dan', 'erin', 'frank']) people.push(await site.person(name));
  const [one, other] = [await alice.write('A wren'), await alice.write('A heron')];
  for (const person of people) await person.act(`/web/statuses/${one}/favourite`);
  await bob.act(`/web/statuses/${other}/favourite`);
  for (const person of people.slice(0, 2)) await person.act(`/web/statuses/${one}/reblog`);
  for (const person of people.slice(0, 4)) await person.act(`/web/accounts/${alice.id}/follow`);
  expect(await said(alice)).toEqual([
    'erin, dan, carol and 1 other follow you (new)',
    'carol and bob boosted your post (new)',
    'bob favourited your post (new)',
    'frank, erin, dan and 2 others favourited your post (new)',
  ]);
  expect(await unreadMark(alice)).toBe('4');
  const page = await alice.ask('/notifications');
  expectStrict(page);
  expect(page.html.match(/<p class="faces">.*?<\/p>/gs)?.map((faces) => faces.match(/<a /g)!.length)).toEqual([2, 5]);
  expect(page.html).toContain('<a href="/@alice/followers">1 other</a>');
});

test('a group that began on a newer page is not shown again on an older one', async () => {
  const { site, alice, bob } = await circle();
  const carol = await site.person('carol');
  const id = await alice.write('A wren');
  await bob.act(`/web/statuses/${id}/favourite`);
  for (let number = 1; number <= 20; number += 1) await bob.act('/web/statuses', { status: `@alice ${number}` });
  await carol.act(`/web/statuses/${id}/favourite`);
  const { html } = await alice.ask('/notifications');
  const older = /rel="next" href="(\?max_id=\d+)"/.exec(html)![1]!;
  expect((await said(alice))[0]).toBe('carol and bob favourited your post (new)');
  expect(await said(alice, `/notifications${older}`)).toEqual(['bob mentioned you (new)']);
});

/** Where the button leads that says what was read. */
const readPath = async (person: Person) =>
  /formaction="(\/web\/notifications\/read\?newest=\d+)"/.exec((await person.ask('/notifications')).html)?.[1];

test('marks what is unread, until whoever looks says that it was read', async () => {
  const { alice, bob } = await circle();
  expect(await unreadMark(alice)).toBe('');
  await bob.act('/web/statuses', { status: 'Hello @alice' });
  await bob.act(`/web/accounts/${alice.id}/follow`);
  expect(await unreadMark(alice)).toBe('2');
  expect((await said(alice)).every((words) => words.endsWith('(new)'))).toBe(true);

  const path = (await readPath(alice))!;
  await bob.act('/web/statuses', { status: 'Once more, @alice' });
  expect((await alice.act(path)).location).toBe('/notifications');
  expect(await unreadMark(alice)).toBe('1');
  expect(await said(alice)).toEqual(['bob mentioned you (new)', 'bob follows you', 'bob mentioned you']);
  await alice.act((await readPath(alice))!);
  expect(await unreadMark(alice)).toBe('');
  expect(await readPath(alice)).toBeUndefined();
});

test('counts what is unread among the newest, because every page does', async () => {
  const { site, alice, bob } = await circle();
  const { actors } = site.gateway;
  const notify = (count: number) => {
    for (let number = 0; number < count; number += 1)
      actors.send(Account.notify.to(alice.id, { type: 'follow', fromId: bob.id }));
    actors.settle();
  };
  notify(webLimits.unreadLookedMax);
  expect(await unreadMark(alice)).toBe('1');
  notify(1);
  expect(await unreadMark(alice)).toBe('1+');
});

test.each([
  {},
  { 'sec-purpose': 'prefetch' },
])('a page that is only asked for, with %o, reads nothing', async (headers) => {
  const { alice, bob } = await circle();
  await bob.act('/web/statuses', { status: 'Hello @alice' });
  for (const method of ['GET', 'HEAD']) await alice.ask('/notifications', { method, headers });
  expect(await unreadMark(alice)).toBe('1');
});

test('what was read is said with the token of the form, and names a notification', async () => {
  const { site, alice } = await circle();
  const path = '/web/notifications/read?newest=1';
  expect((await alice.ask(path, { form: { form_token: 'guessed' } })).status).toBe(403);
  expect((await site.stranger.ask(path, { form: {} })).location).toContain('/auth/sign_in');
  expect((await alice.act('/web/notifications/read?newest=x')).status).toBe(404);
});

test('older ones are on a page of their own, which reads nothing', async () => {
  const { alice, bob } = await circle();
  for (let number = 1; number <= 21; number += 1) await bob.act('/web/statuses', { status: `@alice ${number}` });
  const { html } = await alice.ask('/notifications?max_id=9223372036854775807');
  expect(html.match(/id="notification-/g)).toHaveLength(20);
  expect(await unreadMark(alice)).toBe('21');
  const older = /rel="next" href="(\?max_id=\d+)"/.exec(html)![1]!;
  expect(await said(alice, `/notifications${older}`)).toEqual(['bob mentioned you (new)']);
});

test.each([
  ['authorize', 'bob follows you', 'Follows you'],
  ['reject', undefined, undefined],
])('a request to follow is answered: %s', async (act, words, badge) => {
  const { site, alice, bob } = await circle();
  await site.changeProfile(alice, { locked: true });
  await bob.act(`/web/accounts/${alice.id}/follow`);
  expect(await said(alice)).toEqual(['bob asks to follow you (new)']);
  expect((await alice.ask('/notifications')).html).toContain(`/web/follow-requests/${bob.id}/reject`);

  const answer = await alice.act(`/web/follow-requests/${bob.id}/${act}`, { answer: 'fragment' });
  expect(answer.html).toContain(`id="answer-${bob.id}"`);
  expect(answer.html).not.toContain('/web/follow-requests/');
  expect((await said(alice))[0]?.replace(' (new)', '')).toBe(words);
  expect((await alice.ask('/@bob')).html.includes('Follows you')).toBe(badge !== undefined);
  expect((await alice.act(`/web/follow-requests/${bob.id}/${act}`)).status).toBe(act === 'reject' ? 404 : 303);
});

test('is for those who are signed in', async () => {
  const { site, alice } = await circle();
  expect((await site.stranger.ask('/notifications')).location).toBe('/auth/sign_in?return_to=%2Fnotifications');
  expect((await alice.ask('/notifications')).html).toContain('Nothing yet');
});

test('posts from everywhere and from here are two pages', async () => {
  const { site, alice } = await circle();
  await alice.write('From here');
  for (const path of ['/public', '/public/local']) {
    const page = await site.stranger.ask(path);
    expectStrict(page);
    expect(page.html).toContain(`<a href="${path}" aria-current="page">`);
    expect(textOf(page.html)).toContain('From here');
    expect(page.html).not.toContain('data-live');
  }
  expect((await alice.ask('/public')).html).toContain('data-live="/web/live?list=public&amp;since=');
});

/** Lists of accounts and of bookmarked and favourited posts: visibility, content, paging. */
import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { type Person, Site, textOf } from './site.ts';
import { expectStrict } from './strict.ts';

async function circle() {
  const site = new Site();
  const [alice, bob, carol] = [await site.person('alice'), await site.person('bob'), await site.person('carol')];
  return { site, alice, bob, carol };
}

/** A second later than everything before. */
function follow({ gateway }: Site, follower: Person, followed: Person) {
  gateway.actors.clock.advance(1_000);
  return follower.act(`/web/accounts/${followed.id}/follow`);
}

/** The handles on a page of people. */
async function namesOn(person: Pick<Person, 'ask'>, path: string): Promise<string[]> {
  const { html } = await person.ask(path);
  return [...html.matchAll(/<li class="entry person">.*?@(\w+)/gs)].map(([, name]) => name!);
}

describe('followers and followed people', () => {
  test('are shown to everybody, the latest first, with what the reader may do about each', async () => {
    const { site, alice, bob, carol } = await circle();
    await follow(site, bob, alice);
    await follow(site, carol, alice);
    expect(await namesOn(site.stranger, '/@alice/followers')).toEqual(['carol', 'bob']);
    expect(await namesOn(bob, '/@bob/following')).toEqual(['alice']);
    const page = await bob.ask('/@alice/followers');
    expectStrict(page);
    expect(page.html).toContain(`formaction="/web/accounts/${carol.id}/follow" data-changes>Follow</button>`);
    expect(page.html).not.toContain(`formaction="/web/accounts/${bob.id}`);
    const profile = await site.stranger.ask('/@alice');
    expect(profile.html).toContain('<a href="/@alice/followers">followers</a>');
    expect((await site.stranger.ask('/@nobody/followers')).status).toBe(404);
  });

  test('are kept from others by who hides them', async () => {
    const { site, alice, bob } = await circle();
    await follow(site, bob, alice);
    await site.changeProfile(alice, { hideCollections: true });
    expect(await namesOn(bob, '/@alice/followers')).toEqual([]);
    expect(textOf((await bob.ask('/@alice/followers')).html)).toContain('This list is not shown.');
    expect((await bob.ask('/@alice')).html).not.toContain('/@alice/followers');
    expect(await namesOn(alice, '/@alice/followers')).toEqual(['bob']);
  });

  test('are on further pages where there are many', async () => {
    const { site, alice } = await circle();
    for (let number = 0; number < 41; number += 1) await follow(site, await site.person(`person${number}`), alice);
    const { html } = await alice.ask('/@alice/followers');
    expect(html.match(/<li class="entry person">/g)).toHaveLength(40);
    const more = /rel="next" href="(\?max_id=\d+)"/.exec(html)![1]!;
    expect(await namesOn(alice, `/@alice/followers${more}`)).toEqual(['person0']);
  });
});

test('who asks to follow is answered on the list of requests', async () => {
  const { site, alice, bob, carol } = await circle();
  await site.changeProfile(alice, { locked: true });
  await follow(site, bob, alice);
  await follow(site, carol, alice);
  expect(await namesOn(alice, '/follow_requests')).toEqual(['carol', 'bob']);
  const answer = await alice.act(`/web/follow-requests/${bob.id}/authorize`, { return_to: '/follow_requests' });
  expect(answer.location).toBe('/follow_requests');
  expect(await namesOn(alice, '/follow_requests')).toEqual(['carol']);
  expect(await namesOn(alice, '/@alice/followers')).toEqual(['bob']);
});

describe('kept posts', () => {
  test('are listed in the order in which they were kept, and no longer when they are taken out', async () => {
    const { alice, bob } = await circle();
    const [first, second] = [await alice.write('First'), await alice.write('Second')];
    for (const id of [second, first]) await bob.act(`/web/statuses/${id}/bookmark`);
    await bob.act(`/web/statuses/${second}/favourite`);
    const shown = async (path: string) =>
      [...(await bob.ask(path)).html.matchAll(/data-status="(\d+)"/g)].map(([, id]) => id);
    expect(await shown('/bookmarks')).toEqual([first, second]);
    expect(await shown('/favourites')).toEqual([second]);
    expectStrict(await bob.ask('/bookmarks'));
    await bob.act(`/web/statuses/${first}/unbookmark`);
    expect(await shown('/bookmarks')).toEqual([second]);
    expect((await alice.ask('/bookmarks')).html).toContain('Nothing yet.');
  });
});

test.each([
  '/bookmarks',
  '/favourites',
  '/follow_requests',
  '/mutes',
  '/blocks',
  '/domain_blocks',
  '/followed_tags',
])('%s is for those who are signed in', async (path) => {
  const { stranger } = new Site();
  expect((await stranger.ask(path)).location).toBe(`/auth/sign_in?return_to=${encodeURIComponent(path)}`);
});

test('whoever is not wanted among the suggestions goes, until the next interaction', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  await bob.act(`/web/statuses/${await alice.write('A post')}/favourite`);
  expect((await bob.ask('/suggestions')).html).toContain(`formaction="/web/suggestions/${alice.id}/dismiss"`);
  expect((await bob.act(`/web/suggestions/${alice.id}/dismiss`, { return_to: '/suggestions' })).location).toBe(
    '/suggestions',
  );
  expect(textOf((await bob.ask('/suggestions')).html)).toContain('Nobody yet');
  await bob.act(`/web/statuses/${await alice.write('Another post')}/favourite`);
  expect((await bob.ask('/suggestions')).html).toContain(`/web/accounts/${alice.id}/follow`);
});

test('people whose posts somebody favours are suggested until they are followed', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  const id = await alice.write('A post');
  expect(textOf((await bob.ask('/suggestions')).html)).toContain('Nobody yet');
  await bob.act(`/web/statuses/${id}/favourite`);
  expect((await bob.ask('/suggestions')).html).toContain(`/web/accounts/${alice.id}/follow`);
  await bob.act(`/web/accounts/${alice.id}/follow`);
  expect(textOf((await bob.ask('/suggestions')).html)).toContain('Nobody yet');
});

test('a profile shows the tags that are featured, and each leads to the posts with it', async () => {
  const { site, alice, bob } = await circle();
  await site.gateway.actors.call(Account.featureTag.to(alice.id, { name: 'cats', display: 'Cats', isNew: true }));
  await alice.write('One of #cats');
  await alice.write('One of dogs');
  for (const guest of [bob, site.stranger])
    expect((await guest.ask('/@alice')).html).toContain('<a href="/@alice/tagged/cats" dir="auto">#Cats</a>');
  const page = await site.stranger.ask('/@alice/tagged/Cats');
  expect([page.status, page.html.includes('One of <a'), page.html.includes('One of dogs')]).toEqual([
    ...[200, true, false],
  ]);
  expectStrict(page);
  expect((await bob.ask('/@alice/tagged/12')).status).toBe(404);
});

/** What a browser tells while no page is open: asked for on a page, and the way from a message to what it tells of. */
import { expect, test } from 'vitest';
import { findPushSubscription } from '../../../src/actors/account/push/push.queries.ts';
import { browserSessionsOfAccount } from '../../../src/actors/session/session.queries.ts';
import { subscription } from '../rest/push-keys.ts';
import { type Person, Site } from './site.ts';
import { expectStrict } from './strict.ts';

const { endpoint, keys } = subscription;
const asked = { endpoint, ...keys, policy: 'followed' };

/** Of the session that was opened last. */
function keptOf({ gateway }: Site, { id }: Person) {
  const { read, clock } = gateway.actors;
  const [session] = browserSessionsOfAccount(read, id, clock.now());
  return findPushSubscription(read, id, session?.sessionId ?? '');
}

test('a browser is told what its user chose, until that is changed or ended', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  const before = await alice.ask('/settings/push');
  expectStrict(before);
  expect(before.html).toMatch(/data-push="[\w-]{87}"/);
  expect(before.html).toContain('name="alert" value="mention" checked');
  expect(before.html).not.toContain('admin.report');
  expect((await alice.act('/web/settings/push', { policy: 'none' })).status).toBe(404);

  const { location } = await alice.act('/web/settings/push', { ...asked, alert: 'mention' });
  expect(location).toBe('/settings/push?done=on');
  expect(keptOf(site, alice)).toMatchObject({
    ...{ endpoint, ...keys, alerts: ['mention'], policy: 'followed' },
    ...{ isStandard: true, isOfBrowser: true },
  });
  const shown = await alice.ask('/settings/push');
  expect(shown.html).toContain(`data-endpoint="${endpoint}"`);
  await alice.act('/web/settings/push', { alert: 'admin.report', policy: 'all' });
  expect(keptOf(site, alice)).toMatchObject({ endpoint, alerts: [], policy: 'all' });
  expect((await alice.act('/web/settings/push/off')).location).toBe('/settings/push?done=off');
  expect(keptOf(site, alice)).toBeUndefined();
});

test('what its user chose stays where the browser has replaced its subscription', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  expect((await alice.ask('/web/settings/push/renewal')).status).toBe(404);
  expect((await alice.act('/web/settings/push/renew', asked)).status).toBe(404);
  await alice.act('/web/settings/push', { ...asked, alert: 'mention' });
  const renewal = await alice.ask('/web/settings/push/renewal');
  expect(renewal.headers.get('cache-control')).toBe('private, no-store');
  const { key, form_token } = JSON.parse(renewal.html);
  expect(key).toMatch(/^[\w-]{87}$/);
  const form = { form_token, ...keys, endpoint: `${endpoint}/renewed` };
  expect((await alice.ask('/web/settings/push/renew', { form })).status).toBe(303);
  expect(keptOf(site, alice)).toMatchObject({ endpoint: form.endpoint, alerts: ['mention'], policy: 'followed' });
  expect((await site.stranger.ask('/web/settings/push/renewal')).location).toContain('/auth/sign_in');
});

test.each([
  ['an address that is none', { endpoint: 'push.example' }],
  ['a key that is none', { p256dh: 'AAAA' }],
])('%s is refused, and changes nothing', async (_, wrong) => {
  const site = new Site();
  const alice = await site.person('alice');
  expect((await alice.act('/web/settings/push', { ...asked, ...wrong })).status).toBe(422);
  expect(keptOf(site, alice)).toBeUndefined();
});

test('it ends with the session in which it was asked for, and with no other', async () => {
  const site = new Site();
  const alice = await site.person('alice');
  await alice.act('/web/settings/push', { ...asked, alert: 'mention' });
  const kept = () => findPushSubscription(site.gateway.actors.read, alice.id, keptBy);
  const [session] = browserSessionsOfAccount(site.gateway.actors.read, alice.id, site.gateway.actors.clock.now());
  const keptBy = session!.sessionId;
  const elsewhere = await site.signIn(alice.id, 'Chromium · Linux');
  expect((await elsewhere.ask('/settings/push')).html).not.toContain('data-endpoint');
  await elsewhere.act('/auth/sign_out');
  expect(kept()).toBeDefined();
  await alice.act('/auth/sign_out');
  expect(kept()).toBeUndefined();
});

test('a message leads to what it tells of', async () => {
  const site = new Site();
  const [alice, bob] = [await site.person('alice', { role: 'owner' }), await site.person('bob')];
  const { clock } = site.gateway.actors;
  const newest = async () => {
    const { html } = await alice.ask('/notifications');
    return /id="notification-(\d+)"/.exec(html)?.[1];
  };
  const wayOf = async (id = '') => (await alice.ask(`/web/notifications/${id}`)).location;
  await bob.act(`/web/accounts/${alice.id}/follow`);
  expect(await wayOf(await newest())).toBe('/@bob');
  const post = await bob.write('@alice look');
  expect(await wayOf(await newest())).toBe(`/@bob/${post}`);
  await bob.act(`/web/statuses/${post}/delete`);
  clock.advance(1_000);
  await bob.act(`/web/accounts/${alice.id}/report`, { comment: 'spam' });
  expect(await wayOf(await newest())).toMatch(/^\/admin\/reports\/\d+$/);
  for (const id of ['17', 'x', '9'.repeat(30)]) expect(await wayOf(id)).toBe('/notifications');
  expect((await site.stranger.ask('/web/notifications/17')).location).toContain('/auth/sign_in');
});

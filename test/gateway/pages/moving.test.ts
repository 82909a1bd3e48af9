/** /settings/moving: aliases, and moving to another account. */
import { describe, expect, test } from 'vitest';
import { webRoutes } from '../../../src/gateway/pages/web.routes.ts';
import { hashPassword } from '../../../src/operations/registration/passwords.ts';
import { Site } from './site.ts';

const password = 'correct horse battery';
const cheapCost = { memoryKibibytes: 8, iterations: 1 };

async function withPeople() {
  const site = new Site();
  const passwordHash = await hashPassword(password, cheapCost);
  const [alice, bob, carol] = [
    await site.person('alice', { passwordHash }),
    await site.person('bob'),
    await site.person('carol'),
  ];
  await carol.act(`/web/accounts/${alice.id}/follow`);
  return { site, alice, bob, carol };
}

test('an account that is named by the other one takes its followers over, and can be used again', async () => {
  const { site, alice, bob, carol } = await withPeople();
  const named = await bob.act('/web/settings/aliases', { alias: '@alice@social.example' });
  expect([named.status, named.location]).toEqual([303, '/settings/moving?done=added']);
  expect((await bob.ask('/settings/moving')).html).toContain('@alice');
  const moved = await alice.act('/web/settings/move', { target: 'bob', password });
  expect(moved.location).toBe('/settings/moving?done=moved');
  expect((await site.stranger.ask('/@alice')).html).toContain('has moved to');
  expect((await carol.ask('/@carol/following')).html).toContain('@bob');
  expect((await carol.ask('/@carol/following')).html).not.toContain('@alice');
  const { html } = await alice.ask('/settings/moving');
  expect(html).toContain('This account has moved to');
  // Nothing can be written there, and the home says why.
  const home = (await alice.ask('/')).html;
  expect([home.includes('This account has moved to'), home.includes('id="compose"')]).toEqual([true, false]);
  await alice.act('/web/settings/move/cancel');
  expect((await alice.ask('/')).html).toContain('id="compose"');
  expect((await site.stranger.ask('/@alice')).html).not.toContain('has moved to');
});

describe('an account that has moved', () => {
  /** Where one reads on, comes back, changes what one signs in with, ends what others may have opened, appeals, and leaves. */
  const open =
    /^\/web\/(home\/read|settings\/(aliases|delete|export|move|password|email|mails|push)|sessions|authorizations|security|strikes)(\/|$)/;
  const forms = webRoutes.filter(({ method }) => method === 'POST').map(({ path }) => path);

  test('is refused every form but those of its own safety', async () => {
    const { alice, bob } = await withPeople();
    await bob.act('/web/settings/aliases', { alias: '@alice@social.example' });
    await alice.act('/web/settings/move', { target: 'bob', password });
    const refused: string[] = [];
    for (const path of forms.filter((one) => one !== '/web/settings/move/cancel')) {
      const { status, html } = await alice.act(path.replace(/:\w+/g, '1'));
      if (status === 403 && html.includes('Your account has moved')) refused.push(path);
    }
    expect(refused).toEqual(forms.filter((path) => !open.test(path)));
    expect((await alice.ask('/settings/moving')).html).toContain('Use this account again');
  });

  test('writes again once it is back', async () => {
    const { alice, bob } = await withPeople();
    await bob.act('/web/settings/aliases', { alias: '@alice@social.example' });
    await alice.act('/web/settings/move', { target: 'bob', password });
    expect((await alice.act('/web/statuses', { status: 'hello' })).status).toBe(403);
    await alice.act('/web/settings/move/cancel');
    expect((await alice.act('/web/statuses', { status: 'hello' })).status).toBe(303);
  });
});

test('an alias is taken away again', async () => {
  const { alice, bob } = await withPeople();
  await bob.act('/web/settings/aliases', { alias: 'alice' });
  const removed = await bob.act(`/web/settings/aliases/${alice.id}/remove`);
  expect(removed.location).toBe('/settings/moving?done=removed');
  expect((await bob.ask('/settings/moving')).html).not.toContain('href="/@alice"');
});

test.each([
  ['a wrong password', { target: 'bob', password: 'another' }, 'This is not your password.'],
  ['an account that does not name this one', { target: 'bob', password }, 'That account does not name this one'],
  ['an account that is not there', { target: 'nobody', password }, 'This account was not found'],
  ['this account itself', { target: 'alice', password }, 'This is your account itself.'],
])('%s moves nothing', async (_what, fields, words) => {
  const { alice, site } = await withPeople();
  const { status, html } = await alice.act('/web/settings/move', fields);
  expect([status, html]).toEqual([422, expect.stringContaining(words)]);
  expect((await site.stranger.ask('/@alice')).html).not.toContain('has moved to');
});

test.each([
  ['nobody', 'This account was not found'],
  ['bob', 'This is your account itself.'],
])('the alias %s is refused', async (alias, words) => {
  const { bob } = await withPeople();
  const { status, html } = await bob.act('/web/settings/aliases', { alias });
  expect([status, html]).toEqual([422, expect.stringContaining(words)]);
});

test('whoever is not signed in is asked to sign in', async () => {
  const { site } = await withPeople();
  expect((await site.stranger.ask('/settings/moving')).location).toContain('/auth/sign_in');
});

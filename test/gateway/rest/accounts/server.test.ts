/** The endpoints about accounts over a real server: sockets, threads, storage. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFormBrowser } from '../../../support/form-browser.ts';
import { type RunningServer, startTestServer } from '../../../support/server.ts';
import { until } from '../../../support/until.ts';
import { decodedMedia, uploadPicture } from '../../../support/upload.ts';
import type { User } from '../../../support/users.ts';

let server: RunningServer;
let alice: User;
let bob: User;

beforeAll(async () => {
  server = await startTestServer();
  alice = await server.createUser('alice');
  bob = await server.createUser('bob', 'mastodon');
});

afterAll(async () => {
  await server?.stop();
});

type Json = Record<string, unknown>;

async function ask(user: User | undefined, method: string, path: string, more: object = {}) {
  const token = user === undefined ? {} : { token: user.token };
  const response = await server.fetch(path, { method, ...token, ...more });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

test('credentials are verified, and changed by PATCH with a form and by PUT with JSON', async () => {
  const form = new FormData();
  form.set('display_name', 'Alice');
  form.set('source[language]', 'de');
  form.set('fields_attributes[0][name]', 'Site');
  form.set('fields_attributes[0][value]', 'https://alice.example');
  const patched = await ask(alice, 'PATCH', '/api/v1/accounts/update_credentials', { body: form });
  expect(patched.status).toBe(200);
  expect(patched.body).toMatchObject({ display_name: 'Alice', fields: [{ name: 'Site' }], source: { language: 'de' } });
  const put = await ask(alice, 'PUT', '/api/v1/accounts/update_credentials', { json: { note: 'Hello #birds' } });
  expect(put.body).toMatchObject({ display_name: 'Alice', source: { raw_note: 'Hello #birds' } });
  expect((await ask(undefined, 'GET', '/api/v1/accounts/verify_credentials')).status).toBe(401);
});

test('following is answered in the dialect of the application, and seen from both sides at once', async () => {
  const followed = await ask(alice, 'POST', `/api/v1/accounts/${bob.id}/follow`, { json: { reblogs: false } });
  expect(followed.body).toMatchObject({ following: { reblogs: false }, requested: false });
  const back = await ask(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
  expect(back.body).toMatchObject({ following: true, followed_by: true });
  const relationships = await ask(bob, 'GET', `/api/v1/accounts/relationships?id[]=${alice.id}&id[]=5`);
  expect(relationships.body).toMatchObject([{ id: alice.id, following: true, followed_by: true }]);
  const followers = await ask(undefined, 'GET', `/api/v1/accounts/${alice.id}/followers?limit=1`);
  expect(followers.body).toMatchObject([{ username: 'bob', followers_count: 1, following_count: 1 }]);
  expect(followers.headers.get('link')).toContain(
    `${server.origin}/api/v1/accounts/${alice.id}/followers?limit=1&max_id=`,
  );
});

test('a block is a 403 for the blocked, and ends the follow', async () => {
  expect((await ask(alice, 'POST', `/api/v1/accounts/${bob.id}/block`)).body).toMatchObject({ blocking: true });
  const refused = await ask(bob, 'POST', `/api/v1/accounts/${alice.id}/follow`);
  expect(refused).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } });
  expect((await ask(alice, 'GET', '/api/v1/blocks')).body).toMatchObject([{ username: 'bob' }]);
  expect((await ask(alice, 'POST', `/api/v1/accounts/${bob.id}/unblock`)).body).toMatchObject({ following: false });
});

test('accounts are found by handle and by search', async () => {
  const found = await ask(undefined, 'GET', '/api/v1/accounts/lookup?acct=alice');
  expect(found).toMatchObject({ status: 200, body: { username: 'alice' } });
  expect((await ask(undefined, 'GET', '/api/v1/accounts/lookup?acct=nobody')).status).toBe(404);
  expect((await ask(bob, 'GET', '/api/v1/accounts/search?q=alice')).body).toMatchObject([{ username: 'alice' }]);
});

test('an account takes everything along, brings lists from elsewhere, and is deleted', async () => {
  const wanda = await server.createUser('wanda');
  const { id: media } = await decodedMedia(server, wanda, await uploadPicture(server, wanda));
  const posted = await ask(wanda, 'POST', '/api/v1/statuses', { json: { status: 'Taken along', media_ids: [media] } });
  expect(posted.status).toBe(200);
  const browser = createFormBrowser();
  const page = (path: string) => browser.open(`${server.origin}${path}`);
  const { email, password } = wanda;
  await browser.submit(await page('/auth/sign_in'), '/auth/sign_in', { email, password });
  const cookie = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  await browser.submit(await page('/settings/export'), '/web/settings/export', {});
  await until(async () => (await page('/settings/export')).html.includes('/settings/export/archive'));
  const download = await fetch(`${server.origin}/settings/export/archive`, { headers: { cookie: cookie() } });
  const archive = Buffer.from(await download.arrayBuffer());
  const names = execFileSync('tar', ['-tzf', '-'], { input: archive }).toString().split('\n');
  expect(names).toEqual(expect.arrayContaining(['actor.json', 'outbox.json', 'follows.csv']));
  expect(names.filter((name) => name.startsWith('media_attachments/files/'))).toHaveLength(1);
  const outbox = execFileSync('tar', ['-xzOf', '-', 'outbox.json'], { input: archive }).toString();
  expect(outbox).toContain('Taken along');

  const { html } = await page('/settings/import');
  const form = new FormData();
  form.set('form_token', /name="form_token" value="([^"]+)"/.exec(html)![1]!);
  form.set('list', 'follows');
  form.set('mode', 'merge');
  form.set(
    'file',
    new Blob([`Account address,Notify on new posts\nalice@${server.host},true\nnobody,false\n`]),
    'a.csv',
  );
  const begun = await fetch(`${server.origin}/web/settings/import`, {
    ...{ method: 'POST', body: form, redirect: 'manual', headers: { cookie: cookie() } },
  });
  expect(begun.headers.get('location')).toBe('/settings/import');
  await until(async () => (await page('/settings/import')).html.includes('2 of 2 rows are done'));
  expect((await page('/settings/import')).html).toContain('Row 3: not found');
  const relationships = await ask(wanda, 'GET', `/api/v1/accounts/relationships?id[]=${alice.id}`);
  expect(relationships.body).toMatchObject([{ following: { reblogs: true }, notifying: true }]);

  const deleted = await ask(wanda, 'POST', '/api/murmuration/v1/account_deletion', { json: { password } });
  expect(deleted.body).toMatchObject({ delay_days: 7, deletes_at: expect.any(String) });
  // Not usable at once, and soon gone.
  expect((await ask(wanda, 'GET', '/api/v1/accounts/verify_credentials')).status).toBeGreaterThanOrEqual(401);
  await until(async () => (await ask(wanda, 'GET', '/api/v1/accounts/verify_credentials')).status === 401);
  expect((await page('/settings')).url.pathname).toBe('/settings/delete');
});

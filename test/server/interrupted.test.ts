/**
 * What a server does in slices is killed at random moments: an archive, imports and the deletion of an account each go on after
 * the next start, and in the end nothing is missing and nothing is there twice.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SeededRandom } from '../sim/random.ts';
import { onlySeed } from '../sim/seeds.ts';
import { createFormBrowser } from '../support/form-browser.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { formOf } from '../support/upload.ts';
import type { User } from '../support/users.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const rounds = isLong ? 4 : 1;
const killsPerRound = isLong ? 4 : 2;
/** More than one slice of each. */
const posts = isLong ? 240 : 50;
const workMilliseconds = 600;

const seed = onlySeed ?? (isLong ? randomInt(2 ** 31) : 1);
const random = new SeededRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'murmuration-interrupted-'));
const input = { dataDirectory: join(folder, 'data'), environment: { MURMURATION_DELETION_DAYS: '0' } };
let server: RunningServer;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Posted {
  readonly id: string;
  readonly uri: string;
}

async function publish(user: User, status: string): Promise<Posted> {
  const answer = await server.fetch('/api/v1/statuses', { method: 'POST', token: user.token, json: { status } });
  return (await answer.json()) as Posted;
}

async function publishAll(user: User): Promise<Posted[]> {
  const all: Posted[] = [];
  for (let count = 0; count < posts; count += 1) all.push(await publish(user, `${user.username} writes ${count}.`));
  return all;
}

async function bookmarked(user: User): Promise<string[]> {
  const found: string[] = [];
  for (let path: string | undefined = '/api/v1/bookmarks?limit=40'; path !== undefined; ) {
    const answer: Response = await server.fetch(path, { token: user.token });
    found.push(...((await answer.json()) as Posted[]).map(({ uri }) => uri));
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    path = next?.slice(server.origin.length);
  }
  return found;
}

/** At a random moment while it works. */
async function killAndStart(): Promise<void> {
  const end = performance.now() + random.below(workMilliseconds);
  await until(() => performance.now() >= end, { description: 'a moment to come' });
  await server.kill();
  server = await startTestServer({ ...input, port: server.port });
}

/** The archive of one account to another, which names the first as its alias. */
async function bringPosts(ally: User, { username }: User, archive: Buffer, count: number): Promise<void> {
  const browser = createFormBrowser();
  const page = (path: string) => browser.open(`${server.origin}${path}`);
  const { email, password, token } = ally;
  await browser.submit(await page('/auth/sign_in'), '/auth/sign_in', { email, password });
  await browser.submit(await page('/settings/moving'), '/web/settings/aliases', { alias: username });
  const path = '/api/murmuration/v1/imports';
  const begun = await server.fetch(`${path}/archive`, { method: 'POST', token, body: formOf({ archive }) });
  expect(begun.status).toBe(200);
  const { id } = (await begun.json()) as Posted;
  await killAndStart();
  const state = async () => (await server.fetch(`${path}/${id}`, { token })).json();
  await until(async () => ((await state()) as { state: string }).state !== 'running');
  expect(await state()).toMatchObject({ state: 'ended', rows: count, done: count, failed: 0 });
  const account = await server.fetch(`/api/v1/accounts/${ally.id}`, { token });
  expect(await account.json()).toMatchObject({ statuses_count: count });
}

test(`an archive, an import and a deletion, ${rounds} times (seed ${seed})`, async () => {
  server = await startTestServer(input);
  const carol = await server.createUser('carol');
  const written = await publishAll(carol);
  for (let round = 0; round < rounds; round += 1) {
    const [alice, dora] = [await server.createUser(`alice${round}`), await server.createUser(`dora${round}`)];
    const own = await publishAll(alice);
    const last = (await publishAll(dora)).at(-1)!;
    await server.fetch(`/api/v1/accounts/${dora.id}/follow`, { method: 'POST', token: alice.token });
    const browser = createFormBrowser();
    const page = (path: string) => browser.open(`${server.origin}${path}`);
    const cookie = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { email, password } = alice;
    await browser.submit(await page('/auth/sign_in'), '/auth/sign_in', { email, password });
    const form = new FormData();
    form.set('form_token', /name="form_token" value="([^"]+)"/.exec((await page('/settings/import')).html)![1]!);
    form.set('list', 'bookmarks');
    form.set('mode', 'merge');
    form.set('file', new Blob([written.map(({ uri }) => `${uri}\n`).join('')]), 'bookmarks.csv');
    const exporting = await page('/settings/export');

    // Each was acknowledged before the first kill.
    await browser.submit(exporting, '/web/settings/export', {});
    const begun = await fetch(`${server.origin}/web/settings/import`, {
      ...{ method: 'POST', body: form, redirect: 'manual', headers: { cookie: cookie() } },
    });
    expect(begun.headers.get('location')).toBe('/settings/import');
    const deletion = await server.fetch('/api/murmuration/v1/account_deletion', {
      ...{ method: 'POST', token: dora.token, json: { password: dora.password } },
    });
    expect(deletion.status).toBe(200);
    for (let kills = 0; kills < killsPerRound; kills += 1) await killAndStart();

    await until(async () => (await page('/settings/import')).html.includes(`${posts} of ${posts} rows are done`));
    expect((await page('/settings/import')).html).toContain(`${posts} rows were taken over`);
    expect((await bookmarked(alice)).sort()).toEqual(written.map(({ uri }) => uri).sort());

    await until(async () => (await page('/settings/export')).html.includes('/settings/export/archive'));
    const download = await fetch(`${server.origin}/settings/export/archive`, { headers: { cookie: cookie() } });
    const archive = Buffer.from(await download.arrayBuffer());
    const outbox = execFileSync('tar', ['-xzOf', '-', 'outbox.json'], { input: archive, maxBuffer: 100_000_000 });
    const { orderedItems } = JSON.parse(outbox.toString()) as { orderedItems: { object: { id: string } }[] };
    expect(orderedItems.map(({ object }) => object.id).sort()).toEqual(own.map(({ uri }) => uri).sort());

    await bringPosts(await server.createUser(`ally${round}`), alice, archive, own.length);
    // Nothing of what was received, unpacked or built stays behind.
    await until(() => readdirSync(join(input.dataDirectory, 'incoming')).length === 0, { description: 'its files' });
    await until(async () => (await server.fetch(`/api/v1/statuses/${last.id}`)).status === 404);
    await until(async () => {
      const answer = await server.fetch(`/api/v1/accounts/${alice.id}`, { token: alice.token });
      return ((await answer.json()) as { following_count: number }).following_count === 0;
    });
  }
  // The folder was killed: stopping checks every entry of it.
  expect(await server.stop()).toBe(0);
});

/** The pages of staff in a real browser over a real server: a moderator's work, and everything that its owner keeps. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { untilAnswered } from '../support/asking.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { findings, isTooWide, rules } from './barriers.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';
import { jobs, results } from './keeping-jobs.ts';
import { aviary, entryOf, makeTrends, trending, trendPages } from './trending.ts';

const desk = { width: 1_280, height: 800 };
const phone = { width: 360, height: 740 };

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('staff in a browser', () => {
  let server: RunningServer;
  let browser: Browser;
  let lists: Server;

  beforeAll(async () => {
    lists = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).end('#domain,#severity\nmean.example,suspend\n');
    });
    await new Promise<void>((listening) => lists.listen(0, '127.0.0.1', listening));
    const allowed = { MURMURATION_FEDERATION_ALLOW_HTTP: 'on', MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on' };
    server = await startTestServer({ environment: { MURMURATION_RATE_LIMITS: 'off', ...allowed } });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    lists?.close();
  });

  async function arrive(username: string, role?: string): Promise<Visitor> {
    const visitor = await Visitor.arrive(browser, server.origin);
    onTestFinished(() => visitor.leave());
    await visitor.join(username);
    if (role !== undefined) await server.run('accounts', 'modify', username, '--role', role);
    return visitor;
  }

  /** Whether it has to be scrolled sideways on a phone. */
  async function isTooWideForPhone(visitor: Visitor): Promise<boolean> {
    await visitor.page.setViewportSize(phone);
    return isTooWide(visitor);
  }

  test('a moderator finds a report, decides about it with keys, and the post is gone', async () => {
    const [bob, anna] = [await arrive('bob'), await arrive('anna')];
    await bob.write('Buy this today');
    await bob.entry('Buy this today').waitFor();
    await anna.open('/@bob');
    await anna.entry('Buy this today').locator('summary[title="More"]').click();
    await anna.entry('Buy this today').getByRole('link', { name: 'Report @bob' }).click();
    await anna.page.getByRole('button', { name: 'Send' }).click();
    await anna.page.getByText('Your report was sent').waitFor();

    const mona = await arrive('mona', 'moderator');
    await mona.open('/');
    await mona.page.getByRole('link', { name: 'Administration' }).click();
    await mona.page.getByRole('link', { name: '1 open report' }).click();
    await mona.page.getByText('Keyboard', { exact: true }).waitFor();
    await mona.page.keyboard.press('j');
    await mona.page.keyboard.press('Enter');
    await mona.page.waitForURL('**/admin/reports/*');
    await mona.page.keyboard.press('a');
    await mona.page.getByText('You look after this report.').waitFor();
    expect(await isTooWideForPhone(mona)).toBe(false);
    await mona.page.keyboard.press('d');
    await mona.page.keyboard.type('No adverts here');
    await mona.page.getByRole('radio', { name: 'Delete the posts' }).check();
    await mona.page.getByRole('button', { name: 'Do it' }).click();
    await mona.page.getByText('It is done, and the report is closed.').waitFor();
    await bob.open('/disputes/strikes');
    await bob.page.getByText('No adverts here').waitFor();
    expect(await bob.page.getByText('Buy this today').count()).toBe(0);

    await mona.open('/admin/accounts');
    expect(await isTooWideForPhone(mona)).toBe(false);
    await mona.page.getByText('Find accounts').click();
    await mona.page.getByLabel('User name begins with').fill('ann');
    await mona.page.getByRole('button', { name: 'Find' }).click();
    await mona.page.getByRole('link', { name: '@anna' }).click();
    await mona.page.waitForURL('**/admin/accounts/*');
    expect(await isTooWideForPhone(mona)).toBe(false);
    await mona.page.setViewportSize(desk);
    await mona.page.getByRole('radio', { name: 'Limit' }).check();
    await mona.page.getByLabel('What the account is told').fill('Calm down');
    await mona.page.getByRole('button', { name: 'Do it' }).click();
    await mona.page.getByText('It is done.').waitFor();
    await mona.page.getByRole('button', { name: 'End the limits' }).click();
    await mona.page.getByText('It is taken back.').waitFor();
    expect([...mona.complaints, ...bob.complaints, ...anna.complaints]).toEqual([]);
  });

  test('an owner uploads an emoji, and watches the machine while somebody writes', async () => {
    const olga = await arrive('olga', 'owner');
    await olga.open('/admin/emojis');
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#6b3f82' } });
    const buffer = await picture.png().toBuffer();
    await olga.page.getByLabel('Name').fill('plum');
    await olga.page.locator('input[name="picture"]').setInputFiles({ name: 'plum.png', mimeType: 'image/png', buffer });
    await olga.page.getByRole('button', { name: 'Add it' }).click();
    await olga.page.locator('img[alt=":plum:"]').waitFor();

    await olga.open('/admin/machine');
    await olga.page.locator('html[data-machine="on"]').waitFor({ state: 'attached' });
    const writer = await arrive('writer');
    await writer.write('Work for the machine');
    await olga.page.getByText('account.publish').waitFor();
    for (const kind of ['account', 'session'])
      await olga.page.getByRole('rowheader', { name: kind, exact: true }).waitFor();
    expect(await findings(olga, rules)).toEqual([]);
    expect(await isTooWideForPhone(olga)).toBe(false);
    const view = JSON.parse(await server.run('top', '--json')) as { readonly partitions: readonly unknown[] };
    expect(view.partitions.length).toBeGreaterThan(0);
    expect(await server.run('top', '--once')).toContain('PARTITIONS');
    expect([...olga.complaints, ...writer.complaints]).toEqual([]);
  });

  describe('a moderator decides what trends, on a phone and at a desk', () => {
    let tilda: Visitor;
    let site: Server;

    beforeAll(async () => {
      site = createServer(aviary);
      await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
      await makeTrends(server, `http://127.0.0.1:${(site.address() as AddressInfo).port}`);
      tilda = await Visitor.arrive(browser, server.origin);
      await tilda.join('tilda');
      await server.run('accounts', 'modify', 'tilda', '--role', 'moderator');
    });

    afterAll(async () => {
      await tilda?.leave();
      site?.close();
    });

    test.each(trendPages)('$at', async ({ at, shows, mark, kind }) => {
      const { page } = tilda;
      const entry = entryOf(page, shows);
      const before = await trending(server, kind);
      const decide = async (button: string, decided: string) => {
        await entry.getByRole('button', { name: button }).click();
        await page.getByText('It is decided.').waitFor();
        await entry.getByText(decided).waitFor();
      };
      await page.setViewportSize(desk);
      await tilda.open(at);
      await entry.getByText(mark).waitFor();
      await decide('Refuse', 'must not trend');
      expect(await trending(server, kind)).toBe(before - 1);
      expect(await isTooWide(tilda)).toBe(false);
      await page.setViewportSize(phone);
      expect(await isTooWide(tilda)).toBe(false);
      expect(await findings(tilda, rules)).toEqual([]);
      await decide('Allow', 'may trend');
      expect(await trending(server, kind)).toBe(before);
      expect(tilda.complaints.splice(0)).toEqual([]);
    });
  });

  describe('an owner does everything else, on a phone and at a desk', () => {
    let otto: Visitor;
    let token: string;
    let list: string;

    beforeAll(async () => {
      list = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/list.csv`;
      const kira = await server.createUser('kira');
      otto = await Visitor.arrive(browser, server.origin);
      await otto.join('otto');
      await server.run('accounts', 'modify', 'otto', '--role', 'owner');
      token = (await server.run('tokens', 'create', 'otto', '--scopes', 'read admin:read')).trim();
      await server.run('invites', 'add', '--comment', 'For friends');
      await server.run('accounts', 'modify', 'kira', '--limit', '--text', 'Not so loud');
      const [strike] = (await (await server.fetch('/api/v1/strikes', kira)).json()) as { id: string }[];
      const appeal = { ...kira, json: { text: 'I only whispered' }, method: 'POST' };
      expect((await server.fetch(`/api/v1/strikes/${strike?.id}/appeal`, appeal)).status).toBe(200);
    });

    afterAll(() => otto.leave());

    test.each(jobs)('$at', async ({ at, work, shows }) => {
      const { page } = otto;
      await page.setViewportSize(desk);
      await otto.open(at);
      await work?.(page, list);
      await page.locator('main').getByText(shows).first().waitFor();
      expect(await isTooWide(otto)).toBe(false);
      await page.setViewportSize(phone);
      expect(await isTooWide(otto)).toBe(false);
      expect(await findings(otto, rules)).toEqual([]);
      expect(otto.complaints.splice(0)).toEqual([]);
    });

    test('and apps see it', async () => {
      for (const [path, said] of Object.entries(results))
        expect([path, await (await server.fetch(path, { token })).text()]).toEqual([
          path,
          expect.stringContaining(said),
        ]);
    });
  });

  // After what is said of a server that knows no other.
  test('an admin sees what a suspension would end, on a phone and at a desk, before it is made', async () => {
    const other = await startTestServer({ host: '127.0.0.5' });
    onTestFinished(async () => void (await other.stop()));
    await other.createUser('rita');
    const fan = await server.createUser('fan');
    const query = `q=${encodeURIComponent(`@rita@${other.host}`)}&type=accounts&resolve=true`;
    const found = await untilAnswered(() => server.fetch(`/api/v2/search?${query}`, fan));
    const { accounts } = (await found.json()) as { accounts: { id: string }[] };
    await server.fetch(`/api/v1/accounts/${accounts[0]!.id}/follow`, { ...fan, method: 'POST' });

    const ada = await arrive('ada', 'admin');
    const { page } = ada;
    /** Sends the form, which answers with what would end, and is still usable. */
    const ask = async (button: string) => {
      await page.getByRole('radio', { name: 'Suspend' }).check();
      await page.getByRole('button', { name: button }).click();
      const preview = page.getByRole('alert').filter({ hasText: `Suspending ${other.host} would end follows` });
      await preview.getByText('1 follows of accounts there by people here').waitFor();
      await preview.getByRole('link', { name: '@fan' }).waitFor();
      for (const size of [phone, desk]) {
        await page.setViewportSize(size);
        expect([await isTooWide(ada), await findings(ada, rules)]).toEqual([false, []]);
      }
    };
    await ada.open('/admin/domains');
    await page.getByLabel('Domain', { exact: true }).fill(other.host);
    await ask('Make the rule');
    await page.getByRole('radio', { name: 'Limit' }).check();
    await page.getByRole('button', { name: 'Make the rule' }).click();
    await page.locator('main').getByRole('link', { name: other.host }).click();
    await ask('Save the rule');
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.locator('p[role="status"]').waitFor();
    const relationship = `/api/v1/accounts/relationships?id[]=${accounts[0]!.id}`;
    await until(async () => {
      const [one] = (await (await server.fetch(relationship, fan)).json()) as { following: unknown }[];
      return one?.following === false;
    });
    // A browser says so of every form that is answered with a question.
    expect(ada.complaints.filter((one) => !one.includes('422'))).toEqual([]);
  });
});

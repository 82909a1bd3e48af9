/** No page breaks a rule of WCAG that a program can see (axe-core), for visitors and for members. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { rawRoutes } from '../../src/gateway/raw-routes.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

/** Of each kind one; in the long suite members and staff see every page that needs no name in its path. */
const some: readonly string[] = [
  '/',
  '/about',
  '/explore',
  '/public/local',
  '/notifications',
  '/settings',
  '/web/find',
];
const all = rawRoutes
  .filter(({ method, path }) => method === 'GET' && !/[:*]|\.\w+$/.test(path))
  .map(({ path }) => path)
  .filter((path) => !/^\/(api|\.well-known|oauth|health|metrics|media_proxy|web\/completions)/.test(path));

const someOfStaff: readonly string[] = ['/admin', '/admin/accounts', '/admin/measures', '/admin/domains/subscriptions'];
const ofStaff = all.filter((path) => /^\/admin(?!\/machine|\/domains\/lists\/)/.test(path));

const desk = { width: 1_280, height: 800 };
const phone = { width: 360, height: 740 };

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A page in the dark is the same page in other colours. */
const rulesOfColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** With the elements that break them. */
async function findings({ page }: Visitor, runOnly: unknown): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify({ runOnly })})`)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Whoever reads it would have to scroll sideways (WCAG 1.4.10). */
function isTooWide({ page }: Visitor): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('pages in a browser', () => {
  let server: RunningServer;
  let browser: Browser;
  let lists: Server;
  let post: string;
  let ofOne: readonly string[];

  interface Made {
    readonly id: string;
    readonly suggestions_count?: number;
  }

  async function made(token: string, path: string, json?: object): Promise<Made> {
    const answer = await server.fetch(path, { token, ...(json !== undefined && { method: 'POST', json }) });
    return (await answer.json()) as Made;
  }

  /** An account, a report about it, a role, and a blocklist with suggestions, as staff see them. */
  async function pagesOfStaff(writerId: string, statusId: string): Promise<string[]> {
    const warden = await server.createUser('warden');
    await server.run('accounts', 'modify', 'warden', '--role', 'owner');
    const said = { account_id: writerId, status_ids: [statusId], comment: 'Too loud', category: 'spam' };
    const report = await made(warden.token, '/api/v1/reports', said);
    lists = createServer((_request, response) => {
      const rows = ['#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'];
      rows.push('rude.example,suspend,true,false,Rude,false', 'loud.example,silence,false,false,,true');
      response.writeHead(200, { 'content-type': 'text/csv' }).end(rows.join('\n'));
    });
    await new Promise<void>((listening) => lists.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/list.csv`;
    const path = '/api/murmuration/v1/admin/domain_lists';
    const { id } = await made(warden.token, path, { url });
    const isRead = async () => (await made(warden.token, `${path}/${id}`)).suggestions_count === 2;
    await until(isRead, { description: 'the blocklist to be read' });
    const own = [`accounts/${writerId}`, `reports/${report.id}`, 'roles/2', `domains/subscriptions/${id}`];
    return own.map((one) => `/admin/${one}`);
  }

  beforeAll(async () => {
    const allowed = { MURMURATION_FEDERATION_ALLOW_HTTP: 'on', MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on' };
    server = await startTestServer({ environment: { MURMURATION_RATE_LIMITS: 'off', ...allowed } });
    browser = await openBrowser();
    const writer = await server.createUser('writer');
    const publish = (json: object) => made(writer.token, '/api/v1/statuses', json);
    await publish({ status: 'A post with a #hashtag, @writer and https://example.org/a/link for everybody.' });
    const poll = { options: ['one', 'two'], expires_in: 86_400 };
    const { id } = await publish({ status: 'Which?', poll, spoiler_text: 'A question', language: 'en' });
    await publish({ status: 'An answer.', in_reply_to_id: id });
    post = `/@writer/${id}`;
    ofOne = await pagesOfStaff(writer.id, id);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    lists?.close();
  });

  const visitors = [
    ['a visitor', undefined, 'light', desk, some],
    ['a member', 'user', 'light', desk, isLong ? all : some],
    ['a member with a phone', 'user', 'light', phone, isLong ? all : []],
    ['a member in the dark', 'user', 'dark', desk, isLong ? all : some],
    ['an owner', 'owner', 'light', desk, isLong ? ofStaff : someOfStaff],
    ['an owner in the dark', 'owner', 'dark', desk, isLong ? ofStaff : []],
    ['an owner with a phone in the dark', 'owner', 'dark', phone, isLong ? ofStaff : []],
  ] as const;
  const walks = visitors.filter(([, , , , walked]) => walked.length > 0);

  test.each(walks)('%s finds no page with a barrier', async (_who, role, colorScheme, viewport, walked) => {
    const visitor = await Visitor.arrive(browser, server.origin, { colorScheme, viewport });
    onTestFinished(() => visitor.leave());
    const name = `${role}_${colorScheme}_${viewport.width}`;
    if (role !== undefined) await visitor.join(name);
    if (role === 'owner') await server.run('accounts', 'modify', name, '--role', role);
    const found: Record<string, string[]> = {};
    const others = ['/@writer', post, '/tags/hashtag', '/auth/sign_in', '/auth/sign_up'];
    const paths = [...walked, ...(role === 'owner' ? ofOne : others)];
    for (const path of new Set(paths)) {
      await visitor.open(path);
      const isPage = (await visitor.page.evaluate('document.contentType')) === 'text/html';
      const barriers = isPage ? await findings(visitor, colorScheme === 'dark' ? rulesOfColours : rules) : [];
      if (isPage && (await isTooWide(visitor))) barriers.push('it is wider than the window');
      if (barriers.length > 0) found[path] = barriers;
    }
    expect(found).toEqual({});
  });
});

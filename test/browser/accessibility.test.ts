/** No page breaks a rule of WCAG that a program can see (axe-core), for visitors and for members. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminFormsByHand } from '../../src/gateway/pages/admin/admin.routes.ts';
import { formsByHand } from '../../src/gateway/pages/forms-by-hand.ts';
import { waysIn } from '../../src/gateway/pages/ways-in.ts';
import { rawRoutes } from '../../src/gateway/raw-routes.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';
import { findings, rules } from './barriers.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;

/** Of each kind one. In the long suite every page, with axe; in the other every page is walked without. */
const some: readonly string[] = [
  '/',
  '/about',
  '/explore',
  '/public/local',
  '/notifications',
  '/settings',
  '/web/find',
];
const someOfStaff: readonly string[] = ['/admin', '/admin/accounts', '/admin/measures', '/admin/domains/subscriptions'];

/** What answers with no page: documents, files, and steps that lead to a page. */
const noPages =
  /^\/(?:api|\.well-known|nodeinfo|actor|users|assets|media|media_proxy|avatars|headers|auth\/sign_in\/|web\/(?:completions|emojis|media|notifications|settings\/push\/renewal)|settings\/(?:exports|imports|export\/archive)|oauth\/authorize\/native|relay(?:$|\/outbox|\/followers)|admin\/domains\/lists\/)|\.\w+$/;
const waysToPages = new Set([...formsByHand, ...adminFormsByHand, ...waysIn].map(({ path }) => path));
const patterns = rawRoutes
  .filter(({ method, path }) => method === 'GET' && !noPages.test(path) && !waysToPages.has(path))
  .map(({ path }) => path);
const isOfStaff = (path: string) => /^\/admin(?:\/|$)/.test(path);

const desk = { width: 1_280, height: 800 };
const phone = { width: 360, height: 740 };

/** A page in the dark is the same page in other colours. */
const rulesOfColours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * What keeps somebody out without axe: it is wider than the window, so that one has to scroll sideways (WCAG 1.4.10); only a
 * pointer reaches something (2.1.1), or nothing shows where the keyboard is (2.4.7); and what moves although less motion
 * is wanted (2.3.3).
 */
const obstacles = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push('it is wider than the window');
  if (document.getAnimations().length > 0) found.push('something moves');
  const reachable = 'a[href], button, input, select, textarea, summary, [tabindex]';
  // One of what looks alike is enough.
  const alike = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const look = element.localName + '.' + element.getAttribute('class') + '.' + element.type + '.' + element.tabIndex + '.' + element.parentElement.className;
    if (alike.has(look) || !element.checkVisibility({ visibilityProperty: true })) continue;
    alike.add(look);
    const told = element.outerHTML.slice(0, 120);
    if (element.matches(reachable)) {
      if (element.disabled || element.closest('[aria-hidden=true]')) continue;
      if (element.tabIndex < 0 && !element.matches('main')) found.push('not reached by the keyboard: ' + told);
      if (element.tabIndex < 0) continue;
      element.focus({ preventScroll: true, focusVisible: true });
      if (document.activeElement !== element) found.push('takes no focus: ' + told);
      else if (getComputedStyle(element).outlineStyle === 'none') found.push('shows no focus: ' + told);
    } else if (getComputedStyle(element).cursor === 'pointer' && !element.closest(reachable + ', label'))
      found.push('only for a pointer: ' + told);
  }
  return [...new Set(found)];
})()`;

/** Nothing but the answer. */
function isRefusal(obstacles: readonly string[]): boolean {
  return obstacles.every((one) => /^answers 40[34]|the server responded with a status of 40[34]/.test(one));
}

/** Of a page, and what its browser complained about. */
async function obstaclesOf({ page, complaints }: Visitor): Promise<string[]> {
  return [...(await page.evaluate<string[]>(obstacles)), ...complaints.splice(0)];
}

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('pages in a browser', () => {
  let server: RunningServer;
  let browser: Browser;
  let lists: Server;
  let post: string;
  /** By the pattern of its route, one page of each that needs a name or an id. */
  const named: Record<string, string> = {};

  interface Made {
    readonly id: string;
    readonly [name: string]: unknown;
  }

  async function made(token: string, path: string, json?: object): Promise<Made> {
    const answer = await server.fetch(path, { token, ...(json !== undefined && { method: 'POST', json }) });
    return (await answer.json()) as Made;
  }

  /** A role, a blocklist with suggestions, and one of everything else that staff make. */
  async function thingsOfStaff(token: string): Promise<void> {
    lists = createServer((_request, response) => {
      const rows = ['#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'];
      rows.push('rude.example,suspend,true,false,Rude,false', 'loud.example,silence,false,false,,true');
      response.writeHead(200, { 'content-type': 'text/csv' }).end(rows.join('\n'));
    });
    await new Promise<void>((listening) => lists.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(lists.address() as AddressInfo).port}/list.csv`;
    const ours = '/api/murmuration/v1/admin';
    const { id } = await made(token, `${ours}/domain_lists`, { url });
    const isRead = async () => (await made(token, `${ours}/domain_lists/${id}`)).suggestions_count === 2;
    await until(isRead, { description: 'the blocklist to be read' });
    const one = async (path: string, json: object) => (await made(token, path, json)).id;
    Object.assign(named, {
      '/admin/domains/subscriptions/:id': `/admin/domains/subscriptions/${id}`,
      '/admin/roles/:id': '/admin/roles/2',
      '/admin/presets/:id': `/admin/presets/${await one('/api/v1/admin/warning_presets', { text: 'Please describe it.' })}`,
      '/admin/rules/:id': `/admin/rules/${await one(`${ours}/rules`, { text: 'Be kind.' })}`,
      '/admin/announcements/:id': `/admin/announcements/${await one(`${ours}/announcements`, { text: 'Hello' })}`,
      '/admin/webhooks/:id': `/admin/webhooks/${await one(`${ours}/webhooks`, { url: 'https://example.org/', events: ['report.created'] })}`,
      '/admin/domains/:id': `/admin/domains/${await one('/api/v1/admin/domain_blocks', { domain: 'bad.example', severity: 'suspend' })}`,
      '/admin/servers/:id': '/admin/servers/bad.example',
    });
  }

  /** One of everything that a member has or sees. */
  async function thingsOf(keeper: User, writer: User): Promise<void> {
    const publish = ({ token }: User, json: object) => made(token, '/api/v1/statuses', json);
    await publish(writer, { status: 'A post with a #hashtag, @writer and https://example.org/a/link for everybody.' });
    const poll = { options: ['one', 'two'], expires_in: 86_400 };
    const { id } = await publish(writer, { status: 'Which?', poll, spoiler_text: 'A question', language: 'en' });
    await publish(writer, { status: 'An answer.', in_reply_to_id: id });
    post = `/@writer/${id}`;
    const own = await publish(keeper, { status: 'Mine, about #birds' });
    await server.fetch(`/api/v1/statuses/${own.id}`, {
      method: 'PUT',
      token: keeper.token,
      json: { status: 'Changed' },
    });
    await made(keeper.token, `/api/v1/accounts/${writer.id}/follow`, {});
    await made(keeper.token, `/api/v1/accounts/${writer.id}/mute`, {});
    const list = await made(keeper.token, '/api/v1/lists', { title: 'Birds' });
    const filter = { title: 'News', context: ['home'], keywords_attributes: [{ keyword: 'war' }] };
    const { id: filterId } = await made(keeper.token, '/api/v2/filters', filter);
    const { collection } = await made(keeper.token, '/api/v1/collections', { name: 'Early birds' });
    const { code } = await made(keeper.token, '/api/murmuration/v1/invites', {});
    const app = { client_name: 'App', redirect_uris: 'https://app.example/', scopes: 'read' };
    const { client_id } = await made(keeper.token, '/api/v1/apps', app);
    const asked = { response_type: 'code', client_id: String(client_id), redirect_uri: 'https://app.example/' };
    const said = { account_id: writer.id, status_ids: [id], comment: 'Too loud', category: 'spam' };
    const report = await made(keeper.token, '/api/v1/reports', said);
    for (const below of ['embed', 'quotes', 'favourites', 'reblogs'])
      named[`/@:name/:id/${below}`] = `${post}/${below}`;
    for (const below of ['mute', 'languages', 'report', 'lists'])
      named[`/web/accounts/:id/${below}`] = `/web/accounts/${writer.id}/${below}`;
    for (const below of ['edit', 'quote', 'filter'])
      named[`/web/statuses/:id/${below}`] = `/web/statuses/${below === 'filter' ? id : own.id}/${below}`;
    for (const below of ['', '/people', '/settings']) named[`/lists/:id${below}`] = `/lists/${list.id}${below}`;
    for (const below of ['followers', 'following', 'endorsements']) named[`/@:name/${below}`] = `/@writer/${below}`;
    Object.assign(named, {
      '/@:name': '/@writer',
      '/@:name/:id': post,
      '/@:name/:id/history': `/@keeper/${own.id}/history`,
      '/@:name/tagged/:tag': '/@writer/tagged/hashtag',
      '/tags/:name': '/tags/hashtag',
      '/collections/:id': `/collections/${(collection as Made).id}`,
      '/filters/:id': `/filters/${filterId}`,
      '/invite/:code': `/invite/${code}`,
      '/oauth/authorize': `/oauth/authorize?${new URLSearchParams(asked)}`,
      '/public/link': '/public/link?url=https://example.org/a/link',
      '/admin/accounts/:id': `/admin/accounts/${writer.id}`,
      '/admin/accounts/:id/posts': `/admin/accounts/${writer.id}/posts`,
      '/admin/reports/:id': `/admin/reports/${report.id}`,
    });
  }

  let keeper: User;

  beforeAll(async () => {
    const allowed = { MURMURATION_FEDERATION_ALLOW_HTTP: 'on', MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on' };
    server = await startTestServer({ environment: { MURMURATION_RATE_LIMITS: 'off', ...allowed } });
    browser = await openBrowser();
    keeper = await server.createUser('keeper');
    await server.run('accounts', 'modify', 'keeper', '--role', 'owner');
    await thingsOf(keeper, await server.createUser('writer'));
    await thingsOfStaff(keeper.token);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    lists?.close();
  });

  const addressOf = (pattern: string) => named[pattern] ?? pattern;
  /** They need a warning, a request, a key or a picture, and are opened by other tests. */
  const elsewhere = [
    '/disputes/strikes/:id',
    '/notifications/requests/:id',
    '/settings/security/passkeys/:id',
    '/admin/emojis/:id',
  ];
  /** Of links in mails, and of what this server does not have: a page says so. */
  const withoutContent = [
    '/unsubscribe',
    '/email_subscriptions/confirmation',
    '/email_subscriptions/unsubscribe',
    '/public/link',
    '/relay/status',
    '/terms-of-service',
  ];

  const walkedPatterns = patterns.filter((one) => !elsewhere.includes(one));
  const isOwn = (path: string) => /^\/(?:settings|web|lists|filters|notifications|collections)(?:\/|$)/.test(path);
  const parts = {
    'of staff': walkedPatterns.filter(isOfStaff),
    'of what is one’s own': walkedPatterns.filter(isOwn),
    'that others see': walkedPatterns.filter((one) => !isOfStaff(one) && !isOwn(one)),
  };

  /** In German: its words are longer than those of English. */
  test.each(
    Object.entries(parts),
  )('with a phone, every page %s is narrow enough, and all of it is within reach of the keyboard', async (_which, walked) => {
    const visitor = await Visitor.arrive(browser, server.origin, { viewport: phone, reducedMotion: 'reduce' });
    onTestFinished(() => visitor.leave());
    await visitor.signInAs(keeper);
    await visitor.open('/settings');
    await visitor.page.locator('select[name="locale"]').selectOption('de');
    await visitor.page.locator('form[action="/web/settings/profile"] > button').click();
    await visitor.page.locator('html[lang="de"]').waitFor();
    const found: Record<string, string[]> = {};
    for (const pattern of walked) {
      const status = await visitor.open(addressOf(pattern));
      const obstacles = await obstaclesOf(visitor);
      if (status !== 200) obstacles.push(`answers ${status}`);
      if (obstacles.length > 0 && !(withoutContent.includes(pattern) && isRefusal(obstacles)))
        found[pattern] = obstacles;
    }
    expect(found).toEqual({});
  });

  const all = () => patterns.map(addressOf).filter((path) => !path.includes(':') || path.includes('://'));
  const visitors = [
    ['a visitor', undefined, 'light', desk],
    ['a member', 'user', 'light', desk],
    ['a member in the dark', 'user', 'dark', desk],
    ['an owner', 'owner', 'light', desk],
    ['an owner in the dark', 'owner', 'dark', desk],
    ['an owner with a phone in the dark', 'owner', 'dark', phone],
  ] as const;
  const walks = isLong ? visitors : visitors.slice(0, 4);

  test.each(walks)('%s finds no page with a barrier', async (_who, role, colorScheme, viewport) => {
    const visitor = await Visitor.arrive(browser, server.origin, { colorScheme, viewport });
    onTestFinished(() => visitor.leave());
    if (role === 'owner') await visitor.signInAs(keeper);
    else if (role === 'user') await visitor.join(`member_${colorScheme}`);
    const found: Record<string, string[]> = {};
    const named = ['/@writer', post, '/tags/hashtag', '/auth/sign_in', '/auth/sign_up'];
    const walked = isLong ? all() : role === 'owner' ? someOfStaff : [...some, ...named];
    for (const path of walked.filter((one) => (role === 'owner') === isOfStaff(one))) {
      await visitor.open(path);
      const isPage = (await visitor.page.evaluate('document.contentType')) === 'text/html';
      const barriers = isPage ? await findings(visitor, colorScheme === 'dark' ? rulesOfColours : rules) : [];
      if (barriers.length > 0) found[path] = barriers;
    }
    expect(found).toEqual({});
  });

  test('an emoji is found by its name and chosen with the keyboard, from a list without a barrier', async () => {
    const visitor = await Visitor.arrive(browser, server.origin, { viewport: phone });
    onTestFinished(() => visitor.leave());
    await visitor.join('emoji_writer');
    const { page } = visitor;
    const text = page.getByLabel('Your post');
    await text.fill('An owl ');
    const opener = page.getByRole('button', { name: 'Emoji', exact: true });
    await opener.click();
    const search = page.locator('.emojis input');
    await search.waitFor();
    const hasRoom = 'document.documentElement.scrollWidth === document.documentElement.clientWidth';
    expect([await findings(visitor, rules), await page.evaluate(hasRoom)]).toEqual([[], true]);
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await search.press('ArrowDown');
    const [first, second] = ['grinning face, happy', 'smiling face with open mouth, happy, laugh'];
    expect(await focused()).toBe(first);
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe(second);
    await page.keyboard.press('ArrowUp');
    await search.fill('OWL');
    await search.press('ArrowDown');
    expect(await focused()).toBe('owl');
    await page.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('An owl 🦉');
    await page.keyboard.type('!');
    await opener.click();
    await search.fill('no such thing');
    await page.getByText('None found.').waitFor();
    await search.press('Escape');
    expect([await search.count(), await opener.getAttribute('aria-expanded')]).toEqual([0, 'false']);
    expect(await text.inputValue()).toBe('An owl 🦉!');
    expect(visitor.complaints).toEqual([]);
  });
});

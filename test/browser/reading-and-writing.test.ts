/**
 * What the scripts of the pages add to reading and writing: words are completed, lists go on by themselves, and the pages are
 * an app that works without a connection, and tells what happens while none is open.
 */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { PushService } from '../support/push-service.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('reading and writing in a browser', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startTestServer({ environment: { MURMURATION_RATE_LIMITS: 'off' } });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function arrive(username: string): Promise<Visitor> {
    const visitor = await Visitor.arrive(browser, server.origin, { viewport: { width: 360, height: 740 } });
    onTestFinished(() => visitor.leave());
    await visitor.join(username);
    return visitor;
  }

  async function attributesOf(elements: Locator, name: string): Promise<string[]> {
    return Promise.all((await elements.all()).map(async (one) => (await one.getAttribute(name)) ?? ''));
  }

  test('on a phone a menu at the top leads everywhere', async () => {
    const nina = await arrive('nina');
    await nina.page.locator('.everything summary').click();
    await nina.page.locator('.everything').getByRole('link', { name: 'Conversations' }).click();
    await nina.page.waitForURL('**/conversations');
    await nina.page.setViewportSize({ width: 1_280, height: 800 });
    await nina.page.locator('.everything summary').click();
    await nina.page.locator('.everything').getByRole('link', { name: 'Bookmarks' }).click();
    await nina.page.waitForURL('**/bookmarks');
    // No word is broken.
    const heights = "[...document.querySelectorAll('.bar nav > a')].map((link) => link.getBoundingClientRect().height)";
    for (const width of [1_280, 1_024, 700]) {
      await nina.page.setViewportSize({ width, height: 800 });
      const found = await nina.page.evaluate<number[]>(heights);
      expect(found.every((height) => height === 44)).toBe(true);
    }
  });

  test('a name, a hashtag are completed by keyboard and by pointer, and the keyboard stays in the text', async () => {
    await server.createUser('bobolink');
    await server.createUser('bobwhite');
    const alice = await arrive('alice');
    const text = alice.page.getByLabel('Your post');
    const options = alice.page.locator('#completions [role="option"]');
    await text.pressSequentially('Hello @bo');
    await options.first().waitFor();
    expect(await text.getAttribute('aria-controls')).toBe('completions');
    const [first, second] = await attributesOf(options, 'data-text');
    expect([first, second].toSorted()).toEqual(['@bobolink', '@bobwhite']);
    await text.press('ArrowDown');
    expect(await text.getAttribute('aria-activedescendant')).toBe('completion-1');
    await text.press('Enter');
    expect(await text.inputValue()).toBe(`Hello ${second} `);
    expect(await options.count()).toBe(0);

    await text.pressSequentially('and @bo');
    await options.first().click();
    expect(await text.inputValue()).toBe(`Hello ${second} and ${first} `);
    await text.pressSequentially('#wr');
    await text.press('Escape');
    await text.pressSequentially('ens');
    await text.press('Control+Enter');
    await alice.entry('#wrens').waitFor();

    await text.pressSequentially('#wr');
    await options.first().waitFor();
    await text.press('Tab');
    expect(await text.inputValue()).toBe('#wrens ');
    expect(alice.complaints).toEqual([]);
  });

  test('recent searches are proposed, the latest first, until one signs out', async () => {
    const searcher = await arrive('searcher');
    const proposed = searcher.page.locator('datalist#recent-searches option');
    for (const words of ['wrens', 'owls', 'wrens']) {
      await searcher.open('/web/find');
      const field = searcher.page.locator('main form.find input');
      await field.fill(words);
      await field.press('Enter');
      await searcher.page.waitForURL(`**/web/find?handle=${words}`);
    }
    expect(await attributesOf(proposed, 'value')).toEqual(['wrens', 'owls']);
    await searcher.open('/web/find');
    const listed = searcher.page.locator('#recent a');
    expect(await listed.allTextContents()).toEqual(['wrens', 'owls']);
    await searcher.page.getByRole('button', { name: 'Forget them' }).click();
    await listed.first().waitFor({ state: 'hidden' });
    expect(await searcher.page.evaluate('localStorage.length')).toBe(0);
    await searcher.page.locator('main form.find input').fill('wrens');
    await searcher.page.locator('main form.find button').click();
    await searcher.page.waitForURL('**/web/find?handle=wrens');
    await searcher.page.locator('main form.find input').fill('wrens after:2026-01-31');
    await searcher.page.locator('main form.find button').click();
    await searcher.page.waitForURL(/&zone=\w+/);
    await searcher.open('/auth/sign_out');
    await searcher.page.getByRole('button', { name: 'Sign out' }).click();
    await searcher.page.locator('body:not(.member)').waitFor();
    expect(await searcher.page.evaluate('localStorage.length')).toBe(0);
  });

  test('keys lead from post to post and do what buttons do, unless somebody writes or has switched them off', async () => {
    const writer = await server.createUser('keys');
    for (const text of ['First of keys.', 'Second of keys.', 'Third of keys.'])
      await server.fetch('/api/v1/statuses', { method: 'POST', token: writer.token, json: { status: text } });
    const reader = await arrive('typist');
    const { page } = reader;
    const press = (key: string) => page.keyboard.press(key);
    const focused = () => page.evaluate<string>("document.activeElement.closest('.entry')?.textContent ?? ''");
    await reader.open('/@keys');
    for (const [key, text] of [
      ...[
        ['j', 'Third'],
        ['j', 'Second'],
        ['j', 'First'],
        ['j', 'First'],
        ['k', 'Second'],
      ],
    ] as const) {
      await press(key);
      expect(await focused()).toContain(`${text} of keys.`);
    }
    const button = (name: string) => reader.entry('Second of keys.').locator(`button.${name}[aria-pressed="true"]`);
    await press('f');
    await button('favourite').waitFor();
    await press('b');
    await button('boost').waitFor();
    await press('Control+f');
    await button('favourite').waitFor();
    await press('d');
    await button('bookmark').waitFor();
    await press('o');
    await page.waitForURL(/\/@keys\/\d+$/);
    await press('g');
    await press('b');
    await page.waitForURL('**/bookmarks');
    await reader.entry('Second of keys.').waitFor();
    await press('g');
    await press('j');
    await reader.open('/@keys');
    for (const key of ['j', 'j']) await press(key);

    await press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByRole('switch', { name: 'Use these keys in this browser' }).click();
    await press('Escape');
    await press('k');
    expect(await focused()).not.toContain('Third');
    await press('?');
    await help.getByRole('switch', { name: 'Use these keys in this browser', checked: false }).click();
    await help.getByRole('button', { name: 'Close' }).click();

    await press('r');
    await page.waitForURL('**/@keys/*#reply');
    await page.keyboard.type('jkfbn/?');
    expect(await page.getByRole('textbox', { name: 'Your reply' }).inputValue()).toContain('jkfbn/?');
    await reader.open('/@keys');
    await press('n');
    await page.waitForURL('**/#compose');
    await page.keyboard.type('n');
    expect(await page.getByLabel('Your post').inputValue()).toBe('n');
    await reader.open('/about');
    await press('/');
    await page.waitForFunction("document.activeElement.closest('form.find') !== null");
    expect(reader.complaints).toEqual([]);
  });

  test('older posts come when the end of the list is near, each once', async () => {
    const writer = await server.createUser('writer');
    for (let number = 1; number <= 45; number += 1)
      await server.fetch('/api/v1/statuses', {
        method: 'POST',
        token: writer.token,
        json: { status: `Post ${number}.` },
      });
    const reader = await arrive('reader');
    // A busy browser reports several changes at once, here the first two of each.
    await reader.page.addInitScript(`window.IntersectionObserver = class extends IntersectionObserver {
      constructor(told, options) {
        const first = [];
        super((seen, observer) => {
          const isMore = first.length > 0 || seen.length > 1 || seen[0].isIntersecting;
          first.push(...seen);
          if (isMore) told(first.splice(0), observer);
        }, options);
      }
    }`);
    await reader.open('/@writer');
    const entries = reader.page.locator('main ol.timeline > li.entry');
    expect(await entries.count()).toBeLessThan(45);
    while (!(await reader.entry('Post 1.').first().isVisible())) await reader.page.mouse.wheel(0, 4_000);
    const ids = await attributesOf(entries, 'id');
    expect([ids.length, new Set(ids).size]).toEqual([45, 45]);
    expect(await reader.page.locator('main nav.paging').count()).toBe(0);
    expect(reader.complaints).toEqual([]);
  });

  test('what was begun goes on where it was begun, until it is sent or its writer signs out', async () => {
    const { token } = await server.createUser('asker');
    const json = { status: 'Which bird was it?' };
    const asked = await server.fetch('/api/v1/statuses', { method: 'POST', token, json });
    const { id } = (await asked.json()) as { id: string };
    const alice = await arrive('beginner');
    const { page } = alice;
    const text = page.getByLabel('Your post');
    await text.pressSequentially('Begun');
    await page.locator('select[name="visibility"]').selectOption('private');
    await alice.open(`/@asker/${id}#reply`);
    await page.getByLabel('Your reply').pressSequentially('A wren');
    await alice.open('/');
    await page.getByText('You had begun to write this.').waitFor();
    expect(await text.inputValue()).toBe('Begun');
    expect(await page.locator('select[name="visibility"]').inputValue()).toBe('private');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await alice.entry('Begun').waitFor();
    await page.waitForURL(`${server.origin}/`);
    await alice.open('/');
    expect(await text.inputValue()).toBe('');

    await alice.open('/scheduled');
    await page.getByRole('link', { name: '@asker A wren' }).click();
    await page.getByText('You had begun to write this.').waitFor();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('@asker A wren');
    await page.getByRole('button', { name: 'Discard it' }).click();
    expect(await page.getByLabel('Your reply').inputValue()).toBe('@asker ');
    await alice.open('/');
    await text.pressSequentially('For nobody else');
    await alice.open('/auth/sign_out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Create an account' }).first().waitFor();
    expect(await page.evaluate("localStorage.getItem('drafts')")).toBeNull();
    expect(alice.complaints).toEqual([]);
  });

  test('without a connection the app says so, and shows what was asked for when it is back', async () => {
    const reader = await arrive('traveller');
    const { page } = reader;
    await page.evaluate(
      "navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' || new Promise((done) => active.addEventListener('statechange', done)))",
    );
    await reader.write('Sent before the tunnel.');
    const favourite = reader.entry('Sent before the tunnel.').locator('button.favourite');
    await favourite.waitFor();
    await page.context().setOffline(true);
    await favourite.click();
    await page.getByRole('alert').filter({ hasText: 'Nothing has changed' }).waitFor();
    expect(await favourite.getAttribute('aria-pressed')).toBe('false');
    await reader.open('/notifications');
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    expect(await page.locator('main').evaluate('(one) => getComputedStyle(one).borderRadius')).not.toBe('0px');
    expect(await page.content()).not.toContain('traveller');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor();
    const kept = await page.evaluate<string[]>(
      'caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((one) => one.keys())))).then((all) => all.flat().map(({ url }) => new URL(url).pathname))',
    );
    expect(kept.filter((path) => !path.startsWith('/assets/'))).toEqual(['/offline']);
    await reader.open('/auth/sign_out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Create an account' }).first().waitFor();
    await page.waitForFunction(
      'Promise.all([navigator.serviceWorker.getRegistrations(), caches.keys()]).then((all) => all.flat().length === 0)',
    );
  });

  test('a browser tells what happens: a message of the server is shown, and leads to the post', async () => {
    const service = new PushService();
    const endpoint = await service.listen('127.0.0.1');
    onTestFinished(() => service.close());
    const reader = await arrive('listener');
    const { page } = reader;
    await page.context().grantPermissions(['notifications']);
    // There is no service of a browser's maker here: what it would answer is given by the test.
    await page.addInitScript(
      `PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => ({
        toJSON: () => ({ endpoint: '${endpoint}&key=' + applicationServerKey, keys: ${JSON.stringify(service.app.keys)} }),
      });`,
    );
    await reader.open('/settings/push');
    await page.getByLabel('Somebody favourites a post of yours').uncheck();
    await page.getByRole('button', { name: 'Tell me in this browser' }).click();
    await page.getByText('This browser tells you from now on.').waitFor();

    const bob = await server.createUser('speaker');
    const post = { status: '@listener Are you there?' };
    await server.fetch('/api/v1/statuses', { method: 'POST', token: bob.token, json: post });
    await until(() => service.payloads.length === 1, { description: 'the message' });
    const [data] = service.payloads;
    const devtools = await page.context().newCDPSession(page);
    const registration = new Promise<string>((found) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => {
        if (one?.scopeURL === `${server.origin}/`) found(one.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    const registrationId = await registration;
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.origin, registrationId, data: data! });
    const shown = 'navigator.serviceWorker.ready.then((one) => one.getNotifications())';
    const told = `${shown}.then((all) => all.map(({ title, body, data }) => ({ title, body, path: data.path })))`;
    await page.waitForFunction(`${told}.then((all) => all.length === 1)`);
    const [message] = await page.evaluate<{ title: string; body: string; path: string }[]>(told);
    expect(message).toMatchObject({ title: 'speaker mentioned you', body: '@listener Are you there?' });

    // Nothing of a desktop is there to press it on.
    const [worker] = page.context().serviceWorkers();
    await worker!.evaluate(
      "registration.getNotifications().then(([notification]) => dispatchEvent(new NotificationEvent('notificationclick', { notification })))",
    );
    await page.waitForURL(/\/@speaker\/\d+$/);
    expect(await page.evaluate(`${shown}.then((all) => all.length)`)).toBe(0);

    // The service of the browser's maker has ended the subscription, and the browser tells the worker.
    await worker!.evaluate(
      `PushManager.prototype.subscribe = async () => ({
        toJSON: () => ({ endpoint: '${endpoint}&renewed', keys: ${JSON.stringify(service.app.keys)} }),
      });
      dispatchEvent(new ExtendableEvent('pushsubscriptionchange'));`,
    );
    const renewed = page.locator('form[data-endpoint$="&renewed"]');
    await until(async () => reader.open('/settings/push').then(() => renewed.count()), { description: 'the new one' });
    await page.getByRole('button', { name: 'Tell me nothing more' }).click();
    await page.getByText('This browser tells you nothing more.').waitFor();
    expect(reader.complaints).toEqual([]);
  });
});

/** The pages in a real browser over a real server: what a new user does on the first evening. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('pages in a browser', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function arrive(options?: Parameters<typeof Visitor.arrive>[2]): Promise<Visitor> {
    const visitor = await Visitor.arrive(browser, server.origin, options);
    onTestFinished(() => visitor.leave());
    return visitor;
  }

  test('alice signs up and posts; bob follows her, and sees her next post arrive without loading again', async () => {
    const alice = await arrive();
    await alice.signUp('alice');
    await alice.write('Hello from alice #first');
    await alice.entry('Hello from alice').waitFor();

    const bob = await arrive();
    await bob.join('bob');
    expect(await bob.page.locator('.empty').innerText()).toContain('It is quiet here');
    await bob.open('/@alice');
    await bob.entry('Hello from alice').waitFor();
    await bob.page.getByRole('button', { name: 'Follow' }).click();
    await bob.page.getByRole('button', { name: 'Unfollow' }).waitFor();
    // The counts of both are right at once.
    expect(await bob.page.locator('.profile .counts').innerText()).toMatch(/follower\s+1$/);
    expect(await bob.page.locator('#own .counts').innerText()).toMatch(/following\s+1/);
    await bob.open('/');
    await bob.entry('Hello from alice').waitFor();
    await bob.page.locator('html[data-live="on"]').waitFor({ state: 'attached' });
    await bob.page.evaluate('window.loadedOnce = true');

    await alice.write('And a second one, with <b>no</b> markup');
    await bob.entry('And a second one, with <b>no</b> markup').waitFor();
    expect(await bob.page.evaluate('window.loadedOnce')).toBe(true);
    expect(await bob.page.locator('li.entry').count()).toBe(2);
    expect(await bob.page.locator('li.entry').first().innerText()).toContain('And a second one');
    // The menu of the author is not for those who follow her.
    expect(await bob.page.getByText('Delete this post').count()).toBe(0);

    await bob.entry('And a second one').getByRole('button', { name: 'Favourite' }).click();
    const pressed = bob.entry('And a second one').locator('button.favourite[aria-pressed="true"]');
    await pressed.waitFor();
    expect(await pressed.innerText()).toContain('1');
    expect(await bob.page.evaluate('window.loadedOnce')).toBe(true);

    await alice.page.reload();
    await alice.entry('And a second one').locator('details.menu > summary').click();
    await alice.entry('And a second one').getByText('Delete …').click();
    await alice.page.getByRole('button', { name: 'Delete this post' }).click();
    await bob.entry('And a second one').waitFor({ state: 'detached' });

    await alice.signOut();
    expect(await alice.page.getByLabel('Your post').count()).toBe(0);
    expect([...alice.complaints, ...bob.complaints]).toEqual([]);
  });

  test('whoever deletes a post on its page is led to the profile, which says so', async () => {
    const vera = await arrive();
    await vera.join('vera');
    await vera.write('Written in haste');
    await vera.entry('Written in haste').locator('.when a').click();
    await vera.page.locator('.entry.focus summary[title="More"]').click();
    await vera.page.locator('.entry.focus').getByText('Delete …').click();
    await vera.page.getByRole('button', { name: 'Delete this post' }).click();
    await vera.page.getByText('Your post is deleted.').waitFor();
    expect(new URL(vera.page.url()).pathname).toBe('/@vera');
    expect(vera.complaints).toEqual([]);
  });

  test('a browser that asks for German signs up, writes and is told of posts in German', async () => {
    const [lena, max] = [await arrive({ locale: 'de-DE' }), await arrive()];
    await lena.join('lena');
    await lena.open('/settings');
    await lena.page.getByLabel('Language').selectOption('de');
    await lena.page.getByRole('button', { name: 'Save the profile' }).click();
    await lena.page.getByText('Dein Profil ist geändert.').waitFor();
    await max.join('max');
    await lena.open('/public/local');
    await lena.page.locator('html[lang="de"][data-live="on"]').waitFor({ state: 'attached' });
    await lena.page.evaluate('document.body.style.minHeight = "4000px"; window.scrollTo(0, 1000)');
    await max.write('A first post');
    await lena.page.getByRole('button', { name: '1 neuer Beitrag' }).waitFor();
    await max.write('A second post');
    await lena.page.getByRole('button', { name: '2 neue Beiträge' }).click();
    await lena.entry('A second post').getByText('jetzt').waitFor();
    expect(lena.complaints).toEqual([]);
  });

  test('somebody makes an invite and copies its address; whoever opens it signs up and follows', async () => {
    const [inge, jan] = [await arrive({ permissions: ['clipboard-read', 'clipboard-write'] }), await arrive()];
    await inge.join('inge');
    await inge.open('/invites');
    await inge.page.getByLabel('How many may use it').selectOption('1');
    await inge.page.getByLabel('They follow me').check();
    await inge.page.getByRole('button', { name: 'Make the invite' }).click();
    await inge.page.getByRole('button', { name: 'Copy' }).click();
    await inge.page.getByRole('button', { name: 'Copied' }).waitFor();
    const address = String(await inge.page.evaluate('navigator.clipboard.readText()'));
    await jan.open(address.slice(server.origin.length));
    await jan.page.getByText('@inge invites you').waitFor();
    await jan.signUpHere('jan');
    await jan.open('/@inge');
    await until(
      async () => {
        await jan.page.reload();
        return (await jan.page.getByRole('button', { name: 'Unfollow' }).count()) === 1;
      },
      { description: 'the follow' },
    );
    expect([inge.complaints, jan.complaints]).toEqual([[], []]);
  });

  test('a notification arrives live: as a mark on any list, and as itself where they are read', async () => {
    const [ines, jack] = [await arrive(), await arrive()];
    await ines.join('ines');
    await jack.join('jack');
    const live = ines.page.locator('html[data-live="on"]');
    const mark = ines.page.locator('.unread');
    await live.waitFor({ state: 'attached' });
    expect(await mark.isVisible()).toBe(false);
    await jack.write('@ines Are you there?');
    await mark.getByText('1').waitFor();

    await ines.page.getByRole('link', { name: 'Notifications' }).click();
    await ines.entry('jack mentioned you').waitFor();
    await live.waitFor({ state: 'attached' });
    // Seen is read: the script has said so.
    await mark.waitFor({ state: 'hidden' });
    await ines.page.evaluate('window.loadedOnce = true');
    await jack.open('/@ines');
    await jack.page.getByRole('button', { name: 'Follow' }).click();
    await ines.entry('jack follows you').waitFor();
    expect(await ines.page.evaluate('window.loadedOnce')).toBe(true);
    await ines.entry('jack follows you').getByRole('button', { name: 'Follow' }).click();
    await ines.entry('jack follows you').getByRole('button', { name: 'Unfollow' }).waitFor();

    await ines.entry('jack mentioned you').getByRole('link', { name: 'Reply' }).click();
    await live.waitFor({ state: 'attached' });
    await ines.page.evaluate('window.loadedOnce = true');
    await jack.open('/');
    await jack.entry('Are you there?').getByRole('link', { name: 'Reply' }).click();
    await jack.page.getByLabel('Your reply').fill('Still waiting');
    await jack.page.getByRole('button', { name: 'Reply', exact: true }).click();
    await ines.page.locator('ol.answers').getByText('Still waiting').waitFor();
    expect(await ines.page.evaluate('window.loadedOnce')).toBe(true);
    expect([...ines.complaints, ...jack.complaints]).toEqual([]);
  });

  test('somebody changes a profile and the password, and another browser is signed out', async () => {
    const [kate, elsewhere] = [await arrive(), await arrive()];
    await kate.join('kate');
    await elsewhere.page.context().addCookies(await kate.page.context().cookies());
    await kate.page.getByRole('link', { name: 'Settings' }).click();
    await kate.page.getByLabel('Name', { exact: true }).fill('Kate Kestrel');
    await kate.page.getByLabel('About you', { exact: true }).fill('Hovering over #meadows');
    await kate.page.getByRole('button', { name: 'Save the profile' }).click();
    await kate.page.getByText('Your profile is changed.').waitFor();
    await kate.page.getByLabel('Present password').fill('kate has a long password');
    await kate.page.getByLabel('New password').fill('kate has a longer password');
    await kate.page.getByRole('button', { name: 'Change the password' }).click();
    await kate.page.getByText('Your password is changed').waitFor();
    await kate.open('/@kate');
    expect(await kate.page.locator('.profile h1').innerText()).toContain('Kate Kestrel');
    await elsewhere.open('/settings');
    expect(new URL(elsewhere.page.url()).pathname).toBe('/auth/sign_in');
    expect(kate.complaints).toEqual([]);
  });

  test('signing out in one tab ends the stream of another', async () => {
    const carol = await arrive();
    await carol.join('carol');
    await carol.page.locator('html[data-live="on"]').waitFor({ state: 'attached' });
    const cookies = (await carol.page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const listen = () => fetch(`${server.origin}/web/live`, { headers: { cookie: cookies } });
    const stream = await listen();
    expect(stream.status).toBe(200);

    await carol.signOut();
    await stream.text();
    expect((await listen()).status).toBe(401);
  });

  test('a post that waits to be looked at is as its author left it', async () => {
    const gina = await arrive();
    await gina.join('gina');
    const token = (await server.run('tokens', 'create', 'gina', '--scopes', 'read write')).trim();
    const write = async (method: string, path: string, status?: string) => {
      const answer = await server.fetch(path, { method, token, ...(status === undefined ? {} : { json: { status } }) });
      expect(answer.status).toBe(200);
      return (await answer.json()) as { id: string };
    };
    for (const number of [1, 2, 3])
      await write('POST', '/api/v1/statuses', `Long post ${number}${'\n\nand on'.repeat(40)}`);
    await gina.entry('Long post 3').waitFor();
    await gina.page.locator('html[data-live="on"]').waitFor({ state: 'attached' });
    await gina.page.evaluate('window.scrollTo(0, 600)');
    const pill = gina.page.locator('button.pill');

    const kept = await write('POST', '/api/v1/statuses', 'First version');
    await write('PUT', `/api/v1/statuses/${kept.id}`, 'Second version');
    const dropped = await write('POST', '/api/v1/statuses', 'Soon gone');
    await pill.getByText('2 new posts').waitFor();
    await write('DELETE', `/api/v1/statuses/${dropped.id}`);
    await pill.getByText('1 new post', { exact: true }).waitFor();

    await pill.click();
    await gina.entry('Second version').waitFor();
    expect(await gina.entry('First version').count()).toBe(0);
    expect(gina.complaints).toEqual([]);
  });

  test('the time of a quoted post stands beside its author', async () => {
    const wilma = await arrive({ viewport: { width: 360, height: 640 } });
    await wilma.join('wilma');
    const token = (await server.run('tokens', 'create', 'wilma', '--scopes', 'write')).trim();
    const publish = async (status: object) =>
      (await (await server.fetch('/api/v1/statuses', { method: 'POST', token, json: status })).json()) as {
        id: string;
      };
    const quoted = await publish({ status: 'Quoted' });
    await publish({ status: 'A quote', quoted_status_id: quoted.id });
    await wilma.open('/');
    const head = wilma.entry('A quote').locator('.quote header');
    const [author, time] = [await head.locator('> *').first().boundingBox(), await head.locator('.when').boundingBox()];
    expect(time!.x).toBeGreaterThan(author!.x);
    expect(time!.y).toBeLessThan(author!.y + author!.height / 2);
  });

  test('a page goes on listening after it was refused for a while', async () => {
    const holly = await arrive();
    await holly.join('holly');
    const live = holly.page.locator('html[data-live="on"]');
    await live.waitFor({ state: 'attached' });
    await holly.page.clock.install();
    let refused = 0;
    await holly.page.route('**/web/live*', (route) => {
      refused += 1;
      return refused <= 2 ? route.fulfill({ status: 502 }) : route.continue();
    });
    await holly.open('/');
    await until(() => refused === 1, { description: 'the first refusal' });
    await until(
      async () => {
        await holly.page.clock.fastForward(60_000);
        return refused > 2;
      },
      { description: 'another attempt' },
    );
    await live.waitFor({ state: 'attached' });
  });

  test('keys that are held down publish once', async () => {
    const fiona = await arrive();
    await fiona.join('fiona');
    await fiona.page.getByLabel('Your post').fill('Once');
    const submitted = await fiona.page.evaluate(`(() => {
      let count = 0;
      document.querySelector('form.compose').addEventListener('submit', () => { count += 1; });
      for (const repeat of [false, true])
        document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, repeat }),
        );
      return count;
    })()`);
    expect(submitted).toBe(1);
    await fiona.entry('Once').waitFor();
  });

  test('what is too long cannot be sent', async () => {
    const helen = await arrive();
    await helen.join('helen');
    const post = helen.page.getByRole('button', { name: 'Post', exact: true });
    await helen.page.getByLabel('Your post').fill('x'.repeat(501));
    expect([await post.isDisabled(), await helen.page.locator('.left').innerText()]).toEqual([true, '-1']);
    await helen.page.getByLabel('Your post').fill('x'.repeat(500));
    expect(await post.isDisabled()).toBe(false);
  });

  test('a post is written for later, in the time of the browser, and waits at that time', async () => {
    const nora = await arrive({ timezoneId: 'Asia/Kolkata' });
    await nora.join('nora');
    const [further, later] = ['More', 'Later'].map((text) => nora.page.getByText(text, { exact: true }));
    const when = nora.page.getByLabel('When it is posted');
    for (const one of [further, later]) await one!.click();
    await when.fill('2031-03-01T09:15');
    await nora.page.getByText('In your time (Asia/').waitFor();
    await nora.write('In the morning');
    await nora.page.getByText('Your post waits for its time.').waitFor();
    const time = nora.page.locator('li.scheduled time');
    expect([await time.getAttribute('datetime'), await time.innerText()]).toEqual([
      ...['2031-03-01T03:45:00.000Z', '1 March 2031 at 09:15'],
    ]);
    await nora.page.getByText('Change the time').click();
    expect(await when.inputValue()).toBe('2031-03-01T09:15');
    // Folded away again, a time is none.
    await nora.open('/');
    for (const one of [further, later]) await one!.click();
    await when.fill('2031-03-01T09:15');
    await later!.click();
    await nora.write('After all at once');
    await nora.entry('After all at once').waitFor();
    expect(nora.complaints).toEqual([]);
  });

  test('everything but the live part works without a script', async () => {
    const dora = await arrive({ javaScriptEnabled: false });
    await dora.signUp('dora');
    await dora.write('Plain forms will do');
    await dora.entry('Plain forms will do').waitFor();
    await dora.entry('Plain forms will do').getByRole('button', { name: 'Favourite' }).click();
    await dora.entry('Plain forms will do').locator('button.favourite[aria-pressed="true"]').waitFor();
    expect(new URL(dora.page.url()).hash).toMatch(/^#status-\d+$/);
    await dora.entry('Plain forms will do').getByRole('button', { name: 'Boost' }).click();
    await dora.entry('Plain forms will do').locator('button.boost[aria-pressed="true"]').first().waitFor();

    await dora.entry('Plain forms will do').first().getByRole('link', { name: 'Reply' }).click();
    await dora.page.getByLabel('Your reply').fill('And an answer');
    await dora.page.getByRole('button', { name: 'Reply' }).click();
    await dora.entry('And an answer').waitFor();
    expect(new URL(dora.page.url()).pathname).toMatch(/^\/@dora\/\d+$/);

    // The reply form has the focus of whoever followed the link, and the page of whoever skipped to it.
    await dora.entry('Plain forms will do').first().getByRole('link', { name: 'Reply' }).click();
    expect(await dora.page.locator('textarea:focus').getAttribute('placeholder')).toBe('Write a reply');

    await dora.open('/');
    await dora.page.keyboard.press('Tab');
    await dora.page.keyboard.press('Enter');
    expect(await dora.page.locator('main:focus').count()).toBe(1);
    await dora.write('x'.repeat(501));
    expect(await dora.page.getByRole('alert').innerText()).toBe('This is too long: there can be 500 characters.');
    expect(await dora.page.getByLabel('Your post').inputValue()).toBe('x'.repeat(501));
  });

  test('marks that are piled on a letter stay inside their post', async () => {
    const ulla = await arrive({ viewport: { width: 360, height: 740 } });
    await ulla.join('ulla');
    const form = () => ulla.page.getByLabel('Your post').screenshot({ animations: 'disabled' });
    await ulla.open('/');
    const before = await form();
    await ulla.write(`A tower: ${`a${'\u0300'.repeat(200)}`}`);
    await ulla.entry('A tower').waitFor();
    await ulla.open('/');
    await ulla.entry('A tower').waitFor();
    // Rounded corners come out one of 255 lighter or darker, by how the browser divides the page to paint it.
    expect(await ulla.differenceOf(await form(), before)).toBeLessThanOrEqual(2);
  });

  test('a phone shows every page without scrolling sideways, and a screen reader has a name for each control', async () => {
    const erin = await arrive({ viewport: { width: 320, height: 640 }, isMobile: true });
    await erin.join('erin');
    await erin.write(`A long word ${'w'.repeat(200)} and https://example.org/${'path/'.repeat(40)}`);
    await erin.entry('A long word').waitFor();
    for (const path of [
      '/',
      '/@erin',
      '/public/local',
      '/about',
      '/web/find',
      '/tags/none',
      '/nothing/here',
      '/auth/sign_out',
    ]) {
      await erin.open(path);
      const width = await erin.page.evaluate('document.documentElement.scrollWidth');
      const nameless = await erin.page.evaluate(`[...document.querySelectorAll('a, button, summary')]
        .filter((one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === '')
        .map((one) => one.outerHTML)`);
      expect({ path, width, nameless }).toEqual({ path, width: 320, nameless: [] });
    }
  });
});

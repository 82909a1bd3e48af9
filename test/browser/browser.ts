/** A real browser for tests of the pages, and its users: each has a context with cookies of its own. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createFormBrowser } from '../support/form-browser.ts';
import type { User } from '../support/users.ts';

/** Where Debian puts it (apt-get install chromium). */
const chromiumPath = '/usr/bin/chromium';
export const hasBrowser = existsSync(chromiumPath);
if (!hasBrowser) process.stdout.write(`Tests in a browser are passed over: there is no ${chromiumPath}.\n`);

const waitMilliseconds = 30_000;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
}

export class Visitor {
  readonly page: Page;
  /** What the browser complained about: scripts that failed, resources refused by the policy of the page. */
  readonly complaints: string[] = [];
  private readonly context: BrowserContext;
  private readonly origin: string;

  private constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context;
    this.page = page;
    this.origin = origin;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  static async arrive(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(waitMilliseconds);
    return new Visitor(context, await context.newPage(), origin);
  }

  /** The status of the answer. */
  async open(path: string): Promise<number | undefined> {
    return (await this.page.goto(this.origin + path))?.status();
  }

  /** From the front page, as a newcomer does. */
  async signUp(username: string): Promise<void> {
    await this.open('/');
    await this.page.getByRole('link', { name: 'Create an account' }).click();
    await this.signUpHere(username);
  }

  /** With the form that is shown. */
  async signUpHere(username: string): Promise<void> {
    await this.page.getByLabel('User name').fill(username);
    await this.page.getByLabel('E-mail address').fill(`${username}@users.example`);
    await this.page.getByLabel('Password').fill(`${username} has a long password`);
    await this.page.getByLabel('I agree').check();
    await this.page.getByRole('button', { name: 'Create the account' }).click();
    await this.page.waitForURL(`${this.origin}/`);
  }

  /** The same without showing the forms, where a test is about what comes after: a page costs a browser 100 ms and more. */
  async join(username: string): Promise<void> {
    const forms = createFormBrowser();
    const page = await forms.open(`${this.origin}/auth/sign_up`);
    const email = `${username}@users.example`;
    const values = { username, email, password: `${username} has a long password`, agreement: 'true' };
    await forms.submit(page, '/auth/sign_up', values);
    await this.context.addCookies([...forms.cookies].map(([name, value]) => ({ name, value, url: this.origin })));
    await this.open('/');
    await this.page.getByLabel('Your post').waitFor();
  }

  /** Somebody who was created with the server. */
  async signInAs({ email, password }: Pick<User, 'email' | 'password'>): Promise<void> {
    const forms = createFormBrowser();
    await forms.submit(await forms.open(`${this.origin}/auth/sign_in`), '/auth/sign_in', { email, password });
    await this.context.addCookies([...forms.cookies].map(([name, value]) => ({ name, value, url: this.origin })));
  }

  async write(text: string): Promise<void> {
    await this.page.getByLabel('Your post').fill(text);
    await this.page.getByRole('button', { name: 'Post', exact: true }).click();
  }

  /** Has to be confirmed. */
  async signOut(): Promise<void> {
    // Pages of settings lead back to their list as well.
    await this.page.getByRole('link', { name: 'Settings' }).first().click();
    await this.page.getByRole('link', { name: 'Sign out' }).click();
    await this.page.getByRole('button', { name: 'Sign out' }).click();
    await this.page.getByRole('link', { name: 'Create an account' }).first().waitFor();
  }

  /** How far apart two pictures of the same size are in the pixel and channel where they differ most, of 255. */
  async differenceOf(one: Buffer, other: Buffer): Promise<number> {
    const pixelsOf = async (picture: Buffer): Promise<number[]> => {
      const pixels = await this.page.evaluate(`(async () => {
        const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (letter) => letter.charCodeAt(0));
        const decoded = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(decoded.width, decoded.height).getContext('2d');
        canvas.drawImage(decoded, 0, 0);
        return [...canvas.getImageData(0, 0, decoded.width, decoded.height).data];
      })()`);
      return pixels as number[];
    };
    const [first, second] = [await pixelsOf(one), await pixelsOf(other)];
    if (first.length !== second.length) return 255;
    return first.reduce((most, value, at) => Math.max(most, Math.abs(value - second[at]!)), 0);
  }

  /** The entry of a list that holds this text. */
  entry(text: string) {
    return this.page.locator('li.entry').filter({ hasText: text });
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

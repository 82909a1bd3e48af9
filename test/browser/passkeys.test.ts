/** Passkeys in a real browser, with Chromium's virtual authenticator. */
import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('passkeys in a browser', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    const port = await freePort();
    // Browsers make no passkeys for IP addresses.
    const environment = { MURMURATION_RATE_LIMITS: 'off', MURMURATION_ORIGIN: `http://localhost:${port}` };
    server = await startTestServer({ environment, port });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A phone with a finger on its sensor. */
  async function plugIn(visitor: Visitor): Promise<{ cdp: CDPSession; authenticatorId: string }> {
    const cdp = await visitor.page.context().newCDPSession(visitor.page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    return { cdp, authenticatorId };
  }

  test('are added, sign in alone and as a second step, and are removed with themselves', async () => {
    const visitor = await Visitor.arrive(browser, `http://localhost:${new URL(server.origin).port}`);
    const { page } = visitor;
    await visitor.join('alice');
    const { cdp, authenticatorId } = await plugIn(visitor);
    const finger = (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });

    await visitor.open('/settings/security');
    await page.getByLabel('Name', { exact: true }).fill('Phone');
    await page.locator('#passkeys').getByLabel('Your password').fill('alice has a long password');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is added.').waitFor();
    expect(await page.locator('ol.codes li').count()).toBe(10);

    await visitor.signOut();
    await visitor.open('/auth/sign_in');
    await finger(false);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('That did not work, or was called off.').waitFor();
    await finger(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByLabel('Your post').waitFor();

    await visitor.signOut();
    await visitor.open('/auth/sign_in');
    await page.getByLabel('E-mail address').fill('alice@users.example');
    await page.getByLabel('Password').fill('alice has a long password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByLabel('Your post').waitFor();

    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);
    await visitor.open('/settings/security');
    await page.getByRole('link', { name: 'Change' }).click();
    await page.locator('#remove').getByLabel('Your password').fill('alice has a long password');
    await page.getByRole('button', { name: 'Use a passkey in place of a code' }).click();
    await page.getByText('The passkey is removed.').waitFor();

    await visitor.signOut();
    await visitor.open('/auth/sign_in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey was not accepted.').waitFor();
    expect(visitor.complaints.filter((one) => !one.includes('422'))).toEqual([]);
    await visitor.leave();
  });
});

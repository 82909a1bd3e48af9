/** What an owner does on the pages of staff, page by page, with the controls that are there. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';

type Values = Readonly<Record<string, string | true>>;

/** Fills in the form that is sent there, and sends it with its button, or with the one of this value. */
async function send(page: Page, action: string, values: Values, how?: string): Promise<void> {
  const form = page.locator(`form[action="${action}"]`).first();
  for (const [name, value] of Object.entries(values)) {
    const control = form.locator(`[name="${name}"]`).first();
    const type = await control.evaluate((one: unknown) => (one as { type: string }).type);
    if (value === true) await control.check();
    else if (type === 'radio' || type === 'checkbox') await form.locator(`[name="${name}"][value="${value}"]`).check();
    else if (type === 'select-one') await control.selectOption(value);
    else await control.fill(value);
  }
  const button = how === undefined ? 'button[type="submit"], button:not([type])' : `button[value="${how}"]`;
  await form.locator(button).first().click();
}

/** Answers the question before it. */
async function confirm(page: Page, action: string): Promise<void> {
  const question = page
    .locator('details.confirm')
    .filter({ has: page.locator(`[formaction$="${action}"]`) })
    .first();
  await question.locator('summary').click();
  await question.locator('button').click();
}

const press = (page: Page, action: string) => page.locator(`[formaction$="${action}"]`).first().click();

const heron = () =>
  sharp({ create: { width: 1_600, height: 900, channels: 3, background: '#667788' } })
    .png()
    .toBuffer();

export interface Job {
  readonly at: string;
  /** Leaves the page on which it is done. `list`: the address of a blocklist. */
  work?(page: Page, list: string): Promise<void>;
  /** What is there afterwards. */
  readonly shows: string;
}

export const jobs: readonly Job[] = [
  { at: '/admin/measures', shows: 'New people' },
  {
    at: '/admin/domains',
    work: (page) =>
      send(page, '/web/admin/domains', { domain: 'rude.example', severity: 'suspend', public_comment: 'Rude to all' }),
    shows: 'Rude to all',
  },
  {
    at: '/admin/domains/lists',
    work: (page) => send(page, '/web/admin/domains/lists', { csv: 'loud.example\nnoisy.example' }, 'import'),
    shows: 'loud.example',
  },
  {
    at: '/admin/domains/allowed',
    work: (page) => send(page, '/web/admin/domains/allowed', { domain: 'kind.example' }),
    shows: 'kind.example',
  },
  {
    at: '/admin/domains/subscriptions',
    work: (page, list) => send(page, '/web/admin/domains/subscriptions', { url: list, title: 'Tier 1' }, 'subscribe'),
    shows: 'Tier 1',
  },
  { at: '/admin/servers', shows: 'There are no such servers.' },
  {
    at: '/admin/servers/rude.example',
    async work(page) {
      await send(page, '/web/admin/notes/servers/rude.example', { text: 'Their admin has answered' });
      await page.getByText('Their admin has answered').waitFor();
      await press(page, '/rude.example/stop');
    },
    shows: 'deliveries are stopped',
  },
  {
    at: '/admin/relays',
    work: (page) => send(page, '/web/admin/relays', { address: 'https://relay.example/inbox' }),
    shows: 'relay.example',
  },
  ...[
    ['addresses', { range: '192.0.2.0/24', comment: 'A storm' }, '192.0.2.0/24'],
    ['email-domains', { domain: 'throwaway.example' }, 'throwaway.example'],
    ['emails', { email: 'unwanted@mail.example' }, 'It is blocked.'],
    ['usernames', { username: 'support' }, 'support'],
  ].map(([name, values, shows]) => ({
    at: `/admin/blocks/${name as string}`,
    work: (page: Page) => send(page, `/web/admin/blocks/${name as string}`, values as Values),
    shows: shows as string,
  })),
  {
    at: '/admin/roles',
    async work(page) {
      await send(page, '/web/admin/roles', { name: 'Helpers', color: '#336699', permissions: 'manageReports' });
      await page.locator('main').getByRole('link', { name: 'Helpers' }).click();
      await page.locator('form[action$="/give"] [name="account"]').fill('kira');
      await page.keyboard.press('Enter');
    },
    shows: '@kira',
  },
  {
    at: '/admin/settings',
    work: (page) => send(page, '/web/admin/settings', { title: 'The Marsh', description: 'Birds and their friends' }),
    shows: 'Birds and their friends',
  },
  {
    at: '/admin/settings/picture',
    async work(page) {
      const form = page.locator('form[action="/web/admin/settings/picture"]');
      const picture = { name: 'heron.png', mimeType: 'image/png', buffer: await heron() };
      await form.locator('[name="picture"]').setInputFiles(picture);
      await form.locator('[name="description"]').fill('A heron in the reeds');
      await form.getByRole('button', { name: 'Show it' }).click();
      await page.getByRole('img', { name: 'A heron in the reeds' }).waitFor();
    },
    shows: 'Show the built-in picture',
  },
  {
    at: '/admin/settings/documents',
    work: (page) => send(page, '/web/admin/settings/documents/privacy-policy', { text: 'Nothing is kept.' }),
    shows: 'Nothing is kept.',
  },
  {
    at: '/admin/settings/terms',
    work: (page) => send(page, '/web/admin/settings/terms', { day: '2031-05-01', text: 'Be kind.' }),
    shows: '2031',
  },
  {
    at: '/admin/rules',
    async work(page) {
      await send(page, '/web/admin/rules', { text: 'Be kind', hint: 'To everybody' });
      await page.locator('main').getByRole('link', { name: 'Be kind' }).click();
      const translation = page.locator('form').filter({ has: page.locator('[name="language"]') });
      await translation.locator('[name="language"]').fill('de');
      await translation.locator('[name="text"]').fill('Sei freundlich');
      await translation.locator('button').click();
    },
    shows: 'Sei freundlich',
  },
  {
    at: '/admin/announcements',
    work: (page) => send(page, '/web/admin/announcements', { text: 'Tea at five' }),
    shows: 'Tea at five',
  },
  {
    at: '/admin/presets',
    work: (page) => send(page, '/web/admin/presets', { title: 'Spam', text: 'Please do not advertise.' }),
    shows: 'Please do not advertise.',
  },
  {
    at: '/admin/webhooks',
    async work(page) {
      await send(page, '/web/admin/webhooks', { url: 'https://bot.example/', events: 'report.created' });
      await page.locator('main').getByRole('link', { name: 'https://bot.example/' }).click();
      await press(page, '/test');
    },
    shows: 'A test is sent.',
  },
  { at: '/admin/invites', work: (page) => press(page, '/end'), shows: 'ended' },
  {
    at: '/admin/appeals',
    async work(page) {
      await confirm(page, '/approve');
      await page.getByRole('link', { name: 'Approved' }).click();
    },
    shows: 'I only whispered',
  },
  {
    at: '/admin/trends/hashtags',
    work: (page) => send(page, '/web/admin/trends/hashtags', { hashtag: 'spam' }),
    shows: '#spam',
  },
  { at: '/admin/trends', shows: 'Hashtags' },
  { at: '/admin/emoji-copies', shows: 'Take over an emoji' },
  { at: '/admin/storage', shows: 'Public posts of other servers that nobody here uses' },
  {
    at: '/admin/audit',
    async work(page) {
      await page.locator('summary').filter({ hasText: 'Search' }).first().click();
      await page.locator('[name="action"]').selectOption('blockDomain');
      await page.locator('form[role="search"] button').click();
    },
    shows: 'rude.example',
  },
  { at: '/admin', shows: 'The last 30 days' },
];

/** What the API says that has been done. */
export const results: Readonly<Record<string, string>> = {
  '/api/v1/admin/domain_blocks': 'rude.example',
  '/api/v1/admin/domain_allows': 'kind.example',
  '/api/murmuration/v1/admin/domain_lists': 'Tier 1',
  '/api/v1/admin/relays': 'relay.example',
  '/api/v1/admin/ip_blocks': '192.0.2.0/24',
  '/api/v1/admin/email_domain_blocks': 'throwaway.example',
  '/api/murmuration/v1/admin/username_blocks': 'support',
  '/api/murmuration/v1/admin/roles': 'Helpers',
  '/api/v2/instance': 'Birds and their friends',
  '/api/v1/instance/rules': 'Sei freundlich',
  '/api/v1/announcements': 'Tea at five',
  '/api/murmuration/v1/admin/webhooks': 'bot.example',
  '/api/v1/admin/warning_presets': 'Please do not advertise.',
};

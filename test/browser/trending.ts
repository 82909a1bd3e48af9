/** A server on which something of every kind trends, and what a moderator does about it on the pages of trends. */
import type { RequestListener } from 'node:http';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { RunningServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

const picture = sharp({ create: { width: 640, height: 360, channels: 3, background: '#3366cc' } })
  .png()
  .toBuffer();

const article = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Starlings &amp; hawks</title>
<meta property="og:type" content="article"><meta property="og:title" content="Starlings &amp; hawks">
<meta property="og:description" content="How a flock turns"><meta property="og:site_name" content="The Aviary">
<meta property="og:image" content="/starlings.png"></head><body></body></html>`;

/** A site whose only page is an article. */
export const aviary: RequestListener = async (request, response) => {
  if (request.url === '/starlings.png') response.setHeader('content-type', 'image/png').end(await picture);
  else response.setHeader('content-type', 'text/html; charset=utf-8').end(article);
};

/** A post with a hashtag that five people favour, and an article that two link to. */
export async function makeTrends(server: RunningServer, site: string): Promise<void> {
  const people: User[] = [];
  for (const name of ['tess', 'tom', 'tara', 'theo', 'tina', 'toni']) people.push(await server.createUser(name));
  const ask = async (user: User, method: string, path: string, json: object = {}) => {
    const answer = await server.fetch(path, { method, token: user.token, json });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}`);
    return (await answer.json()) as { readonly id: string };
  };
  const [author, reader] = people as [User, User];
  for (const user of [author, reader])
    await ask(user, 'PATCH', '/api/v1/accounts/update_credentials', { discoverable: true });
  const post = { status: 'A cloud of #starlings', language: 'en' };
  const { id } = await ask(author, 'POST', '/api/v1/statuses', post);
  for (const fan of people.slice(1)) await ask(fan, 'POST', `/api/v1/statuses/${id}/favourite`);
  for (const user of [author, reader]) await ask(user, 'POST', '/api/v1/statuses', { status: `Read ${site}/article` });
  // Lists of trends are kept for some seconds, and the card is fetched after the posts are there.
  for (const kind of ['tags', 'statuses', 'links']) await until(async () => (await trending(server, kind)) > 0);
}

/** How many of this kind everybody is shown. */
export async function trending(server: RunningServer, kind: string): Promise<number> {
  return ((await (await server.fetch(`/api/v1/trends/${kind}`)).json()) as unknown[]).length;
}

/**
 * Pages of trends: what is listed there, what it says of that first, and the kind that everybody is shown less of where it is
 * refused. A link of which nobody has decided follows its publisher.
 */
export const trendPages = [
  { at: '/admin/trends', shows: '#starlings', mark: 'not reviewed', kind: 'tags' },
  { at: '/admin/trends/statuses', shows: 'A cloud of', mark: 'not reviewed', kind: 'statuses' },
  { at: '/admin/trends/publishers', shows: '127.0.0.1', mark: 'not reviewed', kind: 'links' },
  { at: '/admin/trends/links', shows: 'Starlings & hawks', mark: 'may trend', kind: 'links' },
] as const;

/** The entry that shows this text. */
export const entryOf = (page: Page, text: string) => page.locator('main li.entry').filter({ hasText: text });

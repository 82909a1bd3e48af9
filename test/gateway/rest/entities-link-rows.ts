/** The timeline of a link: two people link to an article on the loopback interface, until it trends. */
import sharp from 'sharp';
import { startRemoteHost } from '../../outbound/fetcher/remote-host.ts';
import type { Answered, Ask } from '../../support/asking.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

interface Asking {
  readonly ask: Ask;
  /** The first wants to be found. */
  readonly authors: readonly [User, User];
}

const article = `<title>Starlings</title><meta property="og:type" content="article"><meta property="og:image" content="/a.png">
<meta name="description" content="How a flock turns"><meta property="og:site_name" content="The Aviary">`;

async function linkTimeline({ ask, authors }: Asking): Promise<Answered> {
  const size = { width: 64, height: 64, channels: 3 as const, background: '#3366cc' };
  const picture = await sharp({ create: size }).png().toBuffer();
  const site = await startRemoteHost(({ url }, response) =>
    url === '/a.png'
      ? response.setHeader('content-type', 'image/png').end(picture)
      : response.setHeader('content-type', 'text/html').end(article),
  );
  const url = `${site.origin}/article`;
  for (const author of authors) await ask(author, 'POST', '/api/v1/statuses', { status: url });
  const read = () => ask(undefined, 'GET', `/api/v1/timelines/link?url=${encodeURIComponent(url)}`);
  await until(async () => (await read()).status === 200, { description: 'the trend' });
  await site.close();
  return read();
}

export const linkRows = (asking: () => Asking) =>
  [['GET /api/v1/timelines/link', () => linkTimeline(asking())]] as const;

/** The timeline of a link, and reviews: two people link to an article on the loopback interface, until it trends. */
import sharp from 'sharp';
import { startRemoteHost } from '../../outbound/fetcher/remote-host.ts';
import type { Answered, Ask } from '../../support/asking.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';

interface Asking {
  readonly ask: Ask;
  /** The first wants to be found. */
  readonly authors: readonly [User, User];
  readonly staff: User;
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

type Row = readonly [string, () => Promise<Answered>];

/** Behind the timeline, whose link trends. */
function reviewRows(asking: () => Asking): Row[] {
  const asStaff = (method: string, path: string, json?: unknown) =>
    asking().ask(asking().staff, method, `/api/v1/admin/${path}`, json);
  const post = async () => {
    const { ask, authors } = asking();
    return (await ask(authors[0], 'POST', '/api/v1/statuses', { status: 'See #birds', language: 'en' })).body;
  };
  const subjects: Record<string, () => Promise<unknown>> = {
    tags: async () => (await asStaff('GET', 'trends/tags')).body[0]!.id,
    links: async () => (await asStaff('GET', 'trends/links')).body[0]!.id,
    'links/publishers': async () => (await asStaff('GET', 'trends/links/publishers')).body[0]!.id,
    statuses: async () => (await post()).id,
    'statuses/accounts': async () => asking().authors[0].id,
  };
  const tag = async (method: string, json?: unknown) => {
    await post();
    return asStaff(method, `tags/${await subjects.tags!()}`, json);
  };
  return [
    ['GET /api/v1/admin/trends/links', () => asStaff('GET', 'trends/links')],
    ['GET /api/v1/admin/trends/links/publishers', () => asStaff('GET', 'trends/links/publishers')],
    ['GET /api/v1/admin/trends/statuses', () => asStaff('GET', 'trends/statuses')],
    [
      'GET /api/v1/admin/trends/tags',
      async () => {
        await post();
        return asStaff('GET', 'trends/tags');
      },
    ],
    ...Object.entries(subjects).flatMap(([list, subject]) =>
      ['approve', 'reject'].map(
        (how): Row => [
          `POST /api/v1/admin/trends/${list}/:id/${how}`,
          async () => asStaff('POST', `trends/${list}/${await subject()}/${how}`),
        ],
      ),
    ),
    ['GET /api/v1/admin/tags', () => asStaff('GET', 'tags')],
    ['GET /api/v1/admin/tags/:id', () => tag('GET')],
    ['PUT /api/v1/admin/tags/:id', () => tag('PUT', { trendable: false })],
    ['PATCH /api/v1/admin/tags/:id', () => tag('PATCH', { listable: false })],
  ];
}

export const linkRows = (asking: () => Asking): readonly Row[] => [
  ['GET /api/v1/timelines/link', () => linkTimeline(asking())],
  ...reviewRows(asking),
];

/** Rows of entities-shape.test.ts: private objects of accounts (filters, lists, conversations, warnings). */
import type { Answered, Ask, Json } from '../../support/asking.ts';
import { until } from '../../support/until.ts';
import type { User } from '../../support/users.ts';
import { collectionRows } from './entities-collection-rows.ts';
import { quoteRows } from './entities-quote-rows.ts';

/** The route as declared, and the question. */
export type Row = readonly [route: string, question: () => Promise<Answered>];

interface Scene {
  readonly ask: Ask;
  addUser(username: string): Promise<User>;
  readonly alice: User;
  /** Who keeps them. */
  readonly erin: User;
  /** Of alice. */
  readonly postId: string;
  /** A direct status of alice. */
  readonly directId: string;
}

const group = { title: 'A filter', context: ['home'], keywords_attributes: [{ keyword: 'tag' }] };

function conversationRows(scene: () => Scene): readonly Row[] {
  const ask = (method: string, path: string) => scene().ask(scene().alice, method, `/api/v1/conversations${path}`);
  return [
    ['GET /api/v1/conversations', () => ask('GET', '')],
    ['POST /api/v1/conversations/:id/read', () => ask('POST', `/${scene().directId}/read`)],
    ['POST /api/v1/conversations/:id/unread', () => ask('POST', `/${scene().directId}/unread`)],
    ['DELETE /api/v1/conversations/:id', () => ask('DELETE', `/${scene().directId}`)],
  ];
}

/** Erin takes something along, and something over. */
function ownDataRows(scene: () => Scene): readonly Row[] {
  const path = '/api/murmuration/v1';
  const ask = (method: string, rest: string, json?: unknown) =>
    scene().ask(scene().erin, method, `${path}${rest}`, json);
  const list = { list: 'mutes', csv: 'Account address\nnobodyhere\nnobody at all\n' };
  /** The first one, which ends soon. */
  const known = async () => {
    const { body } = await ask('GET', '/imports');
    return (body as unknown as { id: string }[])[0]!.id;
  };
  const cancelled = async () => {
    const { body } = await untilBegun();
    return ask('DELETE', `/imports/${body.id}`);
  };
  /** One at a time. */
  const untilBegun = () =>
    until(
      async () => {
        const answer = await ask('POST', '/imports', { list: 'domain_blocks', csv: `#domain\n${rows}` });
        return answer.status === 409 ? undefined : answer;
      },
      { description: 'the end of the first import' },
    );
  return [
    [`GET ${path}/archive`, () => ask('GET', '/archive')],
    [`POST ${path}/archive`, () => ask('POST', '/archive')],
    [`GET ${path}/statuses_cleanup`, () => ask('GET', '/statuses_cleanup')],
    [`PATCH ${path}/statuses_cleanup`, () => ask('PATCH', '/statuses_cleanup', { enabled: false })],
    [`PUT ${path}/statuses_cleanup`, () => ask('PUT', '/statuses_cleanup', { keep_polls: true })],
    [`POST ${path}/imports`, () => ask('POST', '/imports', list)],
    [`GET ${path}/imports`, () => ask('GET', '/imports')],
    [`GET ${path}/imports/:id`, async () => ask('GET', `/imports/${await known()}`)],
    [`GET ${path}/imports/:id/failures`, async () => ask('GET', `/imports/${await known()}/failures`)],
    [`DELETE ${path}/imports/:id`, cancelled],
  ];
}

/** Enough that their import is still running when it is ended. */
const rows = Array.from({ length: 2_000 }, (_none, index) => `far${index}.example`).join('\n');

/** Erin was warned. */
function warningRows(scene: () => Scene): readonly Row[] {
  return ['/api/v1/notifications', '/api/v2/notifications'].map((path) => [
    `GET ${path}`,
    () => scene().ask(scene().erin, 'GET', `${path}?types[]=moderation_warning`),
  ]);
}

export function keptRows(scene: () => Scene): readonly Row[] {
  return [
    ...conversationRows(scene),
    ...warningRows(scene),
    ['POST /api/v2/filters', () => scene().ask(scene().erin, 'POST', '/api/v2/filters', group)],
    ['GET /api/v2/filters', () => scene().ask(scene().erin, 'GET', '/api/v2/filters')],
    ...each(['GET', 'PUT', 'PATCH', 'DELETE'], '/api/v2/filters/:id', ({ id }) => id),
    ...each(['GET'], '/api/v2/filters/:filter_id/keywords', ({ id }) => id),
    ...each(['POST'], '/api/v2/filters/:filter_id/keywords', ({ id }) => id),
    ...each(['POST'], '/api/v2/filters/:filter_id/keywords/:id', ({ id }) => id),
    ...[
      '/api/v2/filters/keywords/:id',
      '/api/v2/filter_keywords/:id',
      '/api/v1/filters/keywords/:id',
      '/api/v1/filters/:id',
    ].flatMap((path) => each(['GET', 'PUT', 'PATCH', 'DELETE'], path, ({ keywords }) => keywords?.[0]?.id)),
    ...each(['POST', 'GET'], '/api/v2/filters/:filter_id/statuses', ({ id }) => id),
    ...each(['GET', 'DELETE'], '/api/v2/filters/statuses/:id', ({ statuses }) => statuses?.[0]?.id),
    [
      'POST /api/v1/filters',
      () => scene().ask(scene().erin, 'POST', '/api/v1/filters', { phrase: 'warning', context: ['home'] }),
    ],
    ['GET /api/v1/filters', () => scene().ask(scene().erin, 'GET', '/api/v1/filters')],
    ['GET /api/v1/statuses/:id', () => scene().ask(scene().erin, 'GET', `/api/v1/statuses/${scene().postId}`)],

    ...['favourite', 'unfavourite', 'reblog', 'unreblog'].map(
      (verb): Row => [
        `POST /api/v1/statuses/:id/${verb}`,
        () => scene().ask(scene().erin, 'POST', `/api/v1/statuses/${scene().postId}/${verb}`),
      ],
    ),
    [
      'POST /api/v1/statuses/:id/translate',
      () => scene().ask(scene().erin, 'POST', `/api/v1/statuses/${scene().postId}/translate`, { lang: 'de' }),
    ],
    [
      'GET /api/oembed',
      async () => {
        const { body } = await scene().ask(undefined, 'GET', `/api/v1/statuses/${scene().postId}`);
        return scene().ask(undefined, 'GET', `/api/oembed?url=${encodeURIComponent(String(body.url))}`);
      },
    ],
    ['GET /api/v1/annual_reports', () => scene().ask(scene().erin, 'GET', '/api/v1/annual_reports')],
    [
      'GET /api/v1/annual_reports/:year/state',
      () => scene().ask(scene().erin, 'GET', '/api/v1/annual_reports/2025/state'),
    ],
    [
      'POST /api/v1/annual_reports/:year/generate',
      () => scene().ask(scene().erin, 'POST', '/api/v1/annual_reports/2025/generate'),
    ],
    [
      'GET /api/murmuration/v1/account_deletion',
      () => scene().ask(scene().erin, 'GET', '/api/murmuration/v1/account_deletion'),
    ],
    [
      'POST /api/murmuration/v1/account_deletion',
      async () => {
        const gone = await scene().addUser('gone');
        return scene().ask(gone, 'POST', '/api/murmuration/v1/account_deletion', { password: gone.password });
      },
    ],
    ...ownDataRows(scene),
    [
      'POST /api/murmuration/v1/invites',
      () => scene().ask(scene().erin, 'POST', '/api/murmuration/v1/invites', { max_uses: 5, expires_in: 3600 }),
    ],
    ['GET /api/murmuration/v1/invites', () => scene().ask(scene().erin, 'GET', '/api/murmuration/v1/invites')],
    [
      'GET /api/v1/invites/:code',
      async () => {
        const { body } = await scene().ask(scene().erin, 'POST', '/api/murmuration/v1/invites');
        return scene().ask(undefined, 'GET', `/api/v1/invites/${body.code}`);
      },
    ],
    [
      'DELETE /api/murmuration/v1/invites/:id',
      async () => {
        const { body } = await scene().ask(scene().erin, 'POST', '/api/murmuration/v1/invites');
        return scene().ask(scene().erin, 'DELETE', `/api/murmuration/v1/invites/${body.id}`);
      },
    ],
    [
      'GET /api/murmuration/v1/mail_settings',
      () => scene().ask(scene().erin, 'GET', '/api/murmuration/v1/mail_settings'),
    ],
    [
      'PATCH /api/murmuration/v1/mail_settings',
      () => scene().ask(scene().erin, 'PATCH', '/api/murmuration/v1/mail_settings', { topics: { reblog: true } }),
    ],
    [
      'PUT /api/murmuration/v1/mail_settings',
      () => scene().ask(scene().erin, 'PUT', '/api/murmuration/v1/mail_settings', { always: true }),
    ],
    [
      'GET /api/v1/emails/check_confirmation',
      () => scene().ask(scene().erin, 'GET', '/api/v1/emails/check_confirmation'),
    ],
    ['GET /api/v1/announcements', () => scene().ask(scene().erin, 'GET', '/api/v1/announcements')],
    ['PUT /api/v1/announcements/:id/reactions/:name', () => aboutAnnouncement('PUT', '/reactions/%F0%9F%90%A6')],
    ['DELETE /api/v1/announcements/:id/reactions/:name', () => aboutAnnouncement('DELETE', '/reactions/%F0%9F%90%A6')],
    ['PATCH /api/v1/announcements/:id/reactions/:name', () => aboutAnnouncement('PATCH', '/reactions/%F0%9F%90%A6')],
    ['POST /api/v1/announcements/:id/dismiss', () => aboutAnnouncement('POST', '/dismiss')],
    ...quoteRows(scene),
    ...collectionRows(scene),
    ['POST /api/v1/lists', () => scene().ask(scene().erin, 'POST', '/api/v1/lists', { title: 'A list' })],
    ['GET /api/v1/lists', () => scene().ask(scene().erin, 'GET', '/api/v1/lists')],
    ['GET /api/v1/lists/:id', () => aboutList('GET', (id) => `/api/v1/lists/${id}`)],
    ['PUT /api/v1/lists/:id', () => aboutList('PUT', (id) => `/api/v1/lists/${id}`)],
    ['PATCH /api/v1/lists/:id', () => aboutList('PATCH', (id) => `/api/v1/lists/${id}`)],
    ['POST /api/v1/lists/:id/accounts', () => aboutList('POST', (id) => `/api/v1/lists/${id}/accounts`)],
    ['GET /api/v1/lists/:id/accounts', () => aboutList('GET', (id) => `/api/v1/lists/${id}/accounts`)],
    ['GET /api/v1/accounts/:id/lists', () => aboutList('GET', () => `/api/v1/accounts/${scene().alice.id}/lists`)],
    ['GET /api/v1/timelines/list/:list_id', () => aboutList('GET', (id) => `/api/v1/timelines/list/${id}`)],
    ['DELETE /api/v1/lists/:id/accounts', () => aboutList('DELETE', (id) => `/api/v1/lists/${id}/accounts`)],
    ['DELETE /api/v1/lists/:id', () => aboutList('DELETE', (id) => `/api/v1/lists/${id}`)],
    ...['', '/follow', '/unfollow', '/feature', '/unfeature'].map((end): Row => {
      const method = end === '' ? 'GET' : 'POST';
      return [`${method} /api/v1/tags/:name${end}`, () => scene().ask(scene().erin, method, `/api/v1/tags/tag${end}`)];
    }),
    [
      'GET /api/v1/followed_tags',
      async () => {
        await scene().ask(scene().erin, 'POST', '/api/v1/tags/tag/follow');
        return scene().ask(scene().erin, 'GET', '/api/v1/followed_tags');
      },
    ],
  ];

  /** The one that the staff has published. */
  async function aboutAnnouncement(method: string, path: string): Promise<Answered> {
    const { body } = await scene().ask(scene().erin, 'GET', '/api/v1/announcements');
    return scene().ask(scene().erin, method, `/api/v1/announcements/${body[0]!.id}${path}`);
  }

  /** The latest list of erin, who follows alice. */
  async function aboutList(method: string, address: (id: string) => string): Promise<Answered> {
    const { body } = await scene().ask(scene().erin, 'GET', '/api/v1/lists');
    const given = { title: 'Another', account_ids: [scene().alice.id] };
    return scene().ask(scene().erin, method, address(String(body[0]!.id)), method === 'GET' ? undefined : given);
  }

  /** The same address by many methods, each with a filter of its own that holds a keyword and a status. */
  function each(methods: readonly string[], path: string, idIn: (made: Json) => Json | undefined): Row[] {
    const written = { keyword: 'word', phrase: 'word' };
    return methods.map((method) => [
      `${method} ${path}`,
      async () => {
        const { body } = await scene().ask(scene().erin, 'POST', '/api/v2/filters', group);
        if (method !== 'POST')
          await scene().ask(scene().erin, 'POST', `/api/v2/filters/${body.id}/statuses`, { status_id: scene().postId });
        const made = (await scene().ask(scene().erin, 'GET', `/api/v2/filters/${body.id}`)).body;
        const address = path.replace(/:filter_id|:id/, String(idIn(made))).replace(':id', '1');
        return scene().ask(
          scene().erin,
          method,
          address,
          method === 'GET' ? undefined : { ...written, status_id: scene().postId },
        );
      },
    ]);
  }
}

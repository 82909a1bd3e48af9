/** Rows of entities-shape.test.ts: what staff see and decide. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answered, type Ask, answered } from '../../support/asking.ts';
import type { RunningServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { changePicture, formOf, picture } from '../../support/upload.ts';
import type { User } from '../../support/users.ts';
import type { Row } from './entities-kept-rows.ts';
import { siteRows } from './entities-site-rows.ts';

interface Scene {
  readonly running: RunningServer;
  readonly ask: Ask;
  /** An owner. */
  readonly staff: User;
  /** Who was reported. */
  readonly alice: User;
}

export function adminRows(scene: () => Scene): readonly Row[] {
  const asStaff = (method: string, path: string, json?: unknown) =>
    scene().ask(scene().staff, method, `/api/v1/admin/${path}`, json);
  const firstOf = async (list: string, method: string, json?: unknown): Promise<Answered> =>
    asStaff(method, `${list}/${(await asStaff('GET', list)).body[0]!.id}`, json);

  /** Made, listed, shown, changed and removed, in this order. */
  const rowsOf = (list: string, made: object, changed?: object): Row[] => [
    [`POST /api/v1/admin/${list}`, () => asStaff('POST', list, made)],
    [`GET /api/v1/admin/${list}`, () => asStaff('GET', list)],
    [`GET /api/v1/admin/${list}/:id`, () => firstOf(list, 'GET')],
    ...(changed === undefined ? [] : ['PUT', 'PATCH']).map(
      (method): Row => [`${method} /api/v1/admin/${list}/:id`, () => firstOf(list, method, changed)],
    ),
    [`DELETE /api/v1/admin/${list}/:id`, () => firstOf(list, 'DELETE')],
  ];

  const ownRoles = '/api/murmuration/v1/admin/roles';
  const asOwner = (method: string, path: string, json?: unknown) => scene().ask(scene().staff, method, path, json);
  const addedRole = async (method: string, json?: unknown) => {
    const { body } = await asOwner('GET', ownRoles);
    const roles = body as never as { id: string; built_in: boolean }[];
    return asOwner(method, `${ownRoles}/${roles.find((role) => !role.built_in)!.id}`, json);
  };

  const thumbnail = '/api/murmuration/v1/admin/settings/thumbnail';
  const anotherThumbnail = async (method: string) => {
    const { running, staff } = scene();
    const body = formOf({ thumbnail: await picture(), description: 'A field' });
    return answered(await running.fetch(thumbnail, { method, token: staff.token, body }));
  };

  const webhooks = '/api/murmuration/v1/admin/webhooks';
  const onWebhook = async (method: string, path = '', json?: unknown) =>
    asOwner(method, `${webhooks}/${(await asOwner('GET', webhooks)).body[0]!.id}${path}`, json);

  const lists = '/api/murmuration/v1/admin/domain_lists';
  const listServer = createServer((_request, response) => void response.end('rude.example'));
  const listening = async () => {
    await new Promise<void>((done) => listServer.listen(0, '127.0.0.1', done));
    const { port } = listServer.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/list.txt`, format: 'plain' };
  };
  const onList = async (method: string, path: string, json?: unknown) =>
    asOwner(method, `${lists}/${(await asOwner('GET', lists)).body[0]!.id}${path}`, json);
  const readList = () =>
    until(async () => {
      const domains = await onList('GET', '/domains');
      return (domains.body as never as unknown[]).length > 0 ? domains : undefined;
    });

  const invites = '/api/murmuration/v1/admin/invites';
  const servers = '/api/murmuration/v1/admin/instances';
  const onServer = (what: string): Row => [
    `POST ${servers}/:id/${what}`,
    () => asOwner('POST', `${servers}/rude.example/${what}`),
  ];
  const endedInvite = async () => {
    const { id } = (await asOwner('POST', '/api/murmuration/v1/invites', {})).body;
    return asOwner('DELETE', `${invites}/${id}`);
  };

  const canonical = '/api/v1/admin/canonical_email_blocks';
  const testedEmail = async () => {
    await asStaff('POST', 'canonical_email_blocks', { email: 'dave.x@spam.example' });
    return asStaff('POST', 'canonical_email_blocks/test', { email: 'davex+1@spam.example' });
  };

  const reported = async (method: string, path: string, json?: unknown) => {
    const { ask, staff, alice } = scene();
    const { body } = await ask(staff, 'POST', '/api/v1/reports', { account_id: alice.id });
    return asStaff(method, `reports${path.replace(':id', String(body.id))}`, json);
  };

  const actedOn = async (json: object) => {
    const { ask, staff, alice } = scene();
    const { id } = (await ask(alice, 'POST', '/api/v1/statuses', { status: 'Spam' })).body;
    const about = { account_id: alice.id, status_ids: [id] };
    const { body } = await ask(staff, 'POST', '/api/v1/reports', about);
    return asStaff('POST', `reports/${body.id}/action`, json);
  };

  /** Against a strike of its own. */
  const appealed = async (method: string, path: string) => {
    const { ask, alice } = scene();
    await asStaff('POST', `accounts/${alice.id}/action`, { type: 'none', text: 'Be kind' });
    const [{ id }] = (await ask(alice, 'GET', '/api/v1/strikes?limit=1')).body as never as [{ id: string }];
    const own = await ask(alice, 'POST', `/api/v1/strikes/${id}/appeal`, { text: 'I was kind' });
    if (path === 'own') return method === 'POST' ? own : ask(alice, 'GET', `/api/v1/strikes/${id}`);
    const [{ id: appealId }] = (await asStaff('GET', 'appeals?limit=1')).body as never as [{ id: string }];
    return asStaff(method, `appeals${path.replace(':id', appealId)}`);
  };

  /** The last report. */
  const ofReport = async (method: string, path: string, json?: unknown) => {
    const [{ id }] = (await asStaff('GET', 'reports?limit=1')).body as never as [{ id: string }];
    return scene().ask(scene().staff, method, `/api/murmuration/v1/admin/reports/${id}/${path}`, json);
  };
  const noteRows = (of: 'accounts' | 'reports' | 'instances'): Row[] => {
    const asked = (method: string, path: string, json?: unknown) => {
      const { ask, staff, alice } = scene();
      const id = of === 'accounts' ? alice.id : 'rude.example';
      return of === 'reports'
        ? ofReport(method, path, json)
        : ask(staff, method, `/api/murmuration/v1/admin/${of}/${id}/${path}`, json);
    };
    const address = `/api/murmuration/v1/admin/${of}/:id/notes`;
    return [
      [`POST ${address}`, () => asked('POST', 'notes', { content: 'Look' })],
      [`GET ${address}`, () => asked('GET', 'notes')],
      [`DELETE ${address}/:note_id`, async () => asked('DELETE', `notes/${(await asked('GET', 'notes')).body[0]!.id}`)],
    ];
  };

  return [
    ['POST /api/v1/strikes/:id/appeal', () => appealed('POST', 'own')],
    ['GET /api/v1/strikes/:id', () => appealed('GET', 'own')],
    ['GET /api/v1/strikes', () => scene().ask(scene().alice, 'GET', '/api/v1/strikes')],
    ['GET /api/v1/admin/appeals', () => appealed('GET', '')],
    ['GET /api/v1/admin/appeals/:id', () => appealed('GET', '/:id')],
    ...['approve', 'reject'].map(
      (verb): Row => [`POST /api/v1/admin/appeals/:id/${verb}`, () => appealed('POST', `/:id/${verb}`)],
    ),
    ...rowsOf('domain_blocks', { domain: 'rude.example', public_comment: 'Rude' }, { severity: 'suspend' }),
    [
      'GET /api/murmuration/v1/admin/federation/preview',
      () => asOwner('GET', '/api/murmuration/v1/admin/federation/preview'),
    ],
    ...['PUT', 'PATCH'].map(
      (method): Row => [
        `${method} /api/murmuration/v1/admin/federation`,
        () => asOwner(method, '/api/murmuration/v1/admin/federation', { mode: 'open' }),
      ],
    ),
    [
      'POST /api/murmuration/v1/admin/statuses/action',
      async () => {
        const { ask, alice } = scene();
        const { body } = await ask(alice, 'POST', '/api/v1/statuses', { status: 'To be deleted' });
        const wish = { type: 'delete_statuses', status_ids: [body.id] };
        return asOwner('POST', '/api/murmuration/v1/admin/statuses/action', wish);
      },
    ],
    ['GET /api/v1/admin/accounts', () => asStaff('GET', 'accounts')],
    ['GET /api/v2/admin/accounts', () => scene().ask(scene().staff, 'GET', '/api/v2/admin/accounts')],
    ['GET /api/v1/admin/accounts/:id', () => asStaff('GET', `accounts/${scene().alice.id}`)],
    ['GET /api/v1/admin/accounts/:id/sign_ins', () => asStaff('GET', `accounts/${scene().alice.id}/sign_ins`)],
    ...(['avatar', 'header'] as const).map(
      (picture): Row => [
        `POST /api/v1/admin/accounts/:id/remove_${picture}`,
        async () => {
          const { running, alice } = scene();
          await changePicture(running, alice, picture);
          return asStaff('POST', `accounts/${alice.id}/remove_${picture}`);
        },
      ],
    ),
    ...['enable', 'unsensitive', 'unsilence', 'unsuspend', 'promote', 'demote'].map(
      (verb): Row => [
        `POST /api/v1/admin/accounts/:id/${verb}`,
        () => asStaff('POST', `accounts/${scene().alice.id}/${verb}`),
      ],
    ),
    ...['confirm', 'disable_two_factor', 'end_email_subscriptions', 'email'].map(
      (verb): Row => [
        `POST /api/murmuration/v1/admin/accounts/:id/${verb}`,
        () => {
          const path = `/api/murmuration/v1/admin/accounts/${scene().alice.id}/${verb}`;
          return scene().ask(scene().staff, 'POST', path, { email: 'alice@other.example' });
        },
      ],
    ),
    [
      'POST /api/v1/admin/accounts/:id/action',
      () => asStaff('POST', `accounts/${scene().alice.id}/action`, { type: 'none', text: 'Be kind' }),
    ],
    ['POST /api/v1/admin/reports/:id/action', () => actedOn({ type: 'delete_statuses' })],
    ['GET /api/v1/admin/reports', () => reported('GET', '')],
    ['GET /api/v1/admin/reports/:id', () => reported('GET', '/:id')],
    ...['PUT', 'PATCH'].map(
      (method): Row => [`${method} /api/v1/admin/reports/:id`, () => reported(method, '/:id', { category: 'spam' })],
    ),
    ...['assign_to_self', 'unassign', 'resolve', 'reopen'].map(
      (action): Row => [`POST /api/v1/admin/reports/:id/${action}`, () => reported('POST', `/:id/${action}`)],
    ),
    ['POST /api/v1/admin/relays', () => asStaff('POST', 'relays', { inbox_url: 'https://relay.example/inbox' })],
    ['GET /api/v1/admin/relays', () => asStaff('GET', 'relays')],
    ['DELETE /api/v1/admin/relays/:id', () => firstOf('relays', 'DELETE')],
    ...rowsOf('warning_presets', { text: 'Please do not advertise' }, { title: 'Spam' }),
    ['GET /api/v1/admin/domain_blocks/preview', () => asStaff('GET', 'domain_blocks/preview?domain=rude.example')],
    ...['domain_blocks', 'domain_allows'].map(
      (list): Row => [
        `POST /api/v1/admin/${list}/import`,
        () => asStaff('POST', `${list}/import`, { csv: 'spam.example', dry_run: true }),
      ],
    ),
    ...(['accounts', 'reports', 'instances'] as const).flatMap(noteRows),
    [`GET ${servers}/:id`, () => asOwner('GET', `${servers}/rude.example`)],
    ...['stop_delivery', 'clear_delivery_errors'].map(onServer),
    [`GET ${servers}`, () => asOwner('GET', `${servers}?availability=unavailable`)],
    onServer('restart_delivery'),
    [`DELETE ${servers}/:id`, () => asOwner('DELETE', `${servers}/empty.example`)],
    [
      'POST /api/v1/admin/measures',
      () => asStaff('POST', 'measures', { keys: ['new_users'], start_at: '2026-11-01', end_at: '2026-11-03' }),
    ],
    ['POST /api/v1/admin/dimensions', () => asStaff('POST', 'dimensions', { keys: ['languages', 'space_usage'] })],
    [
      'POST /api/v1/admin/retention',
      () => asStaff('POST', 'retention', { start_at: '2026-11-01', end_at: '2026-11-03', frequency: 'day' }),
    ],
    ['GET /api/murmuration/v1/admin/reports/:id/history', () => ofReport('GET', 'history')],
    [`POST ${ownRoles}`, () => asOwner('POST', ownRoles, { name: 'Helpers', permission_names: ['manage_reports'] })],
    [`GET ${ownRoles}`, () => asOwner('GET', ownRoles)],
    [`GET ${ownRoles}/:id`, () => addedRole('GET')],
    ...['PUT', 'PATCH'].map((method): Row => [`${method} ${ownRoles}/:id`, () => addedRole(method, { color: '#123' })]),
    [
      'POST /api/murmuration/v1/admin/accounts/:id/role',
      () => asOwner('POST', `/api/murmuration/v1/admin/accounts/${scene().alice.id}/role`, { role_id: 'user' }),
    ],
    [`DELETE ${ownRoles}/:id`, () => addedRole('DELETE')],
    [`POST ${webhooks}`, () => asOwner('POST', webhooks, { url: 'https://bot.example/', events: ['report.created'] })],
    [`GET ${webhooks}`, () => asOwner('GET', webhooks)],
    [`GET ${webhooks}/:id`, () => onWebhook('GET')],
    ...['PUT', 'PATCH'].map(
      (method): Row => [`${method} ${webhooks}/:id`, () => onWebhook(method, '', { template: '{{event}}' })],
    ),
    ...['disable', 'enable', 'rotate_secret', 'test'].map(
      (verb): Row => [`POST ${webhooks}/:id/${verb}`, () => onWebhook('POST', `/${verb}`)],
    ),
    [`DELETE ${webhooks}/:id`, () => onWebhook('DELETE')],
    [`POST ${lists}`, async () => asOwner('POST', lists, await listening())],
    [
      `POST ${lists}/try`,
      async () => asOwner('POST', `${lists}/try`, { id: (await asOwner('GET', lists)).body[0]!.id }),
    ],
    [`GET ${lists}`, () => asOwner('GET', lists)],
    [`GET ${lists}/reasons`, () => asOwner('GET', `${lists}/reasons?domain=rude.example`)],
    [`GET ${lists}/:id`, () => onList('GET', '')],
    ...['PUT', 'PATCH'].map((method): Row => [`${method} ${lists}/:id`, () => onList(method, '', { title: 'Tier' })]),
    [`POST ${lists}/:id/fetch`, () => onList('POST', '/fetch')],
    [`GET ${lists}/:id/domains`, readList],
    ...['accept', 'refuse'].map(
      (what): Row => [
        `POST ${lists}/:id/suggestions/${what}`,
        () => onList('POST', `/suggestions/${what}`, { all: true }),
      ],
    ),
    [
      `DELETE ${lists}/:id`,
      () => {
        listServer.close();
        return onList('DELETE', '?rules=keep');
      },
    ],
    [`GET ${invites}`, () => asOwner('GET', invites)],
    [`DELETE ${invites}/:id`, () => endedInvite()],
    [`DELETE ${invites}`, () => asOwner('DELETE', invites)],
    ...['PUT', 'PATCH'].map((method): Row => [`${method} ${thumbnail}`, () => anotherThumbnail(method)]),
    ...siteRows(asOwner),
    ...rowsOf('domain_allows', { domain: 'kind.example' }),
    ...rowsOf('email_domain_blocks', { domain: 'spam.example' }),
    [`POST ${canonical}/test`, () => testedEmail()],
    ...rowsOf('canonical_email_blocks', { email: 'eve@spam.example' }),
    ...rowsOf('ip_blocks', { ip: '192.0.2.1', severity: 'sign_up_block', expires_in: 60 }, { comment: 'Spam' }),
  ];
}

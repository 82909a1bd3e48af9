/** Rows of entities-shape.test.ts: notifications, one by one and in groups. */
import type { Answered, Ask } from '../../support/asking.ts';
import type { User } from '../../support/users.ts';
import type { Row } from './entities-kept-rows.ts';

interface Scene {
  readonly ask: Ask;
  /** Who was notified. */
  readonly alice: User;
}

export function notificationRows(scene: () => Scene): readonly Row[] {
  const ask = (method: string, path: string): Promise<Answered> => scene().ask(scene().alice, method, path);
  const newest = async (field: 'id' | 'group_key') =>
    String((await ask('GET', '/api/v1/notifications?limit=1')).body[0]![field]);

  return [
    ['GET /api/v1/notifications', () => ask('GET', '/api/v1/notifications')],
    ['GET /api/v1/notifications/:id', async () => ask('GET', `/api/v1/notifications/${await newest('id')}`)],
    [
      'POST /api/v1/notifications/:id/dismiss',
      async () => ask('POST', `/api/v1/notifications/${await newest('id')}/dismiss`),
    ],
    ...['/api/v1/notifications/unread_count', '/api/v2/notifications/unread_count', '/api/v2/notifications'].map(
      (path): Row => [`GET ${path}`, () => ask('GET', path)],
    ),
    ['GET /api/v2/notifications', () => ask('GET', '/api/v2/notifications?expand_accounts=partial_avatars')],
    [
      'GET /api/v2/notifications/:group_key',
      async () => ask('GET', `/api/v2/notifications/${await newest('group_key')}`),
    ],
    [
      'GET /api/v2/notifications/:group_key/accounts',
      async () => ask('GET', `/api/v2/notifications/${await newest('group_key')}/accounts`),
    ],
    [
      'POST /api/v2/notifications/:group_key/dismiss',
      async () => ask('POST', `/api/v2/notifications/${await newest('group_key')}/dismiss`),
    ],
  ];
}

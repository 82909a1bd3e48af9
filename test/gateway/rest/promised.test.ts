/** Clients switch features on by the version of the Mastodon API that a server names: what it promises is there. */
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { apiVersions } from '../../../src/services/software.ts';

const promised: Readonly<Record<number, readonly string[]>> = {
  2: [
    'GET /api/v2/notifications',
    'GET /api/v2/notifications/unread_count',
    'GET /api/v2/notifications/:group_key',
    'GET /api/v2/notifications/:group_key/accounts',
    'POST /api/v2/notifications/:group_key/dismiss',
    'GET /api/v2/notifications/policy',
    'PATCH /api/v2/notifications/policy',
    'GET /api/v1/notifications/requests',
    'POST /api/v1/notifications/requests/accept',
    'POST /api/v1/notifications/requests/dismiss',
    'GET /api/v1/notifications/requests/merged',
  ],
};

test('the version of the API that clients are told', () => {
  const served = new Set(endpoints.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`)));
  const kept = Object.entries(promised).flatMap(([version, routes]) =>
    routes.every((route) => served.has(route)) ? [Number(version)] : [],
  );
  expect(apiVersions.mastodon).toBe(Math.max(1, ...kept));
});

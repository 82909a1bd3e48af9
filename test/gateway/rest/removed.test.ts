/**
 * Removed endpoints of the Mastodon API answer like unknown records (reference: REMOVED rows). Moved endpoints answer
 * at their former paths too.
 */
import { afterAll, expect, test } from 'vitest';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { startTestGateway } from '../../support/gateway.ts';

const gateway = startTestGateway({ endpoints });
afterAll(() => gateway.close());

const removed = [
  ['POST', '/oauth/introspect'],
  ['GET', '/.well-known/keybase-proof-config'],
  ['GET', '/api/v2/mutes'],
  ['GET', '/api/v1/statuses/:id/card'],
  ['GET', '/api/v1/timelines/direct'],
  ['POST', '/api/v1/notifications/dismiss'],
  ['GET', '/api/v2_alpha/notifications'],
  ['GET', '/api/v2_alpha/notifications/:group_key'],
  ['POST', '/api/v2_alpha/notifications/:group_key/dismiss'],
  ['GET', '/api/v2_alpha/notifications/unread_count'],
  ['GET', '/api/v1/notifications/policy'],
  ['PUT', '/api/v1/notifications/policy'],
  ['PATCH', '/api/v1/notifications/policy'],
  ['GET', '/api/proofs'],
] as const;

test.each(removed)('%s %s is gone, whatever stands in the place of an id', async (method, path) => {
  const answer = await gateway.json(path.replaceAll(/:\w+/g, '12'), { method });
  expect(answer).toEqual({ status: 404, body: { error: 'Record not found' } });
});

const moved = endpoints.flatMap(({ methods, olderPaths }) =>
  methods.flatMap((method) => olderPaths.map((path) => [method, path] as const)),
);

test.each(moved)('%s %s is still there', async (method, path) => {
  const answer = await gateway.json(path.replaceAll(/:\w+/g, '12'), { method, token: 'outdated' });
  expect(answer).toEqual({ status: 401, body: { error: 'The access token is invalid' } });
});

test('collections are what moved, and notifications are cleared in both versions', () => {
  expect(moved.map(([method, path]) => `${method} ${path}`).sort()).toEqual([
    'DELETE /api/v1_alpha/collections/:collection_id/items/:id',
    'DELETE /api/v1_alpha/collections/:id',
    'GET /api/v1_alpha/accounts/:id/collections',
    'GET /api/v1_alpha/accounts/:id/in_collections',
    'GET /api/v1_alpha/collections/:id',
    'PATCH /api/v1_alpha/collections/:id',
    'POST /api/v1_alpha/collections',
    'POST /api/v1_alpha/collections/:collection_id/items',
    'POST /api/v1_alpha/collections/:collection_id/items/:id/revoke',
    'POST /api/v2/notifications/clear',
    'PUT /api/v1_alpha/collections/:id',
  ]);
});

/** Endpoints that were removed from the Mastodon API answer like unknown records (reference: REMOVED rows). */
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

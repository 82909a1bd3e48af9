/**
 * Endpoints of earlier releases of the Mastodon API. A word in the place of an id must not be taken for one, and a path
 * that another method serves must not answer 405: all of these answer 404.
 */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Endpoint, endpoint, type Method } from '../route.ts';

const removed: readonly (readonly [method: Method, path: string])[] = [
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
];

export const removedEndpoints: readonly Endpoint<GatewayServices>[] = removed.map(([method, path]) =>
  endpoint({
    method,
    path,
    authentication: 'none',
    parameters: z.object(Object.fromEntries(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => [name!, z.string()]))),
    summary: 'Removed from the Mastodon API.',
    answer: z.never(),
    handler: () => {
      throw new Failure('notFound');
    },
  }),
);

/** Simple requests whose answers are validated. */
import type { Answered } from '../../support/asking.ts';
import { subscription } from './push-keys.ts';

/** Lists of which this server has nothing. */
export const emptyLists = [
  'GET /api/v1/accounts/:id/identity_proofs',
  'GET /api/v1/instance/peers',
  'GET /api/v1/peers/search',
  'GET /api/v1/instance/domain_blocks',
  'GET /api/v1/instance/rules',
  'GET /api/v1/custom_emojis',
  'GET /api/v1/trends/statuses',
  'GET /api/v1/trends/links',
  'GET /api/v1/admin/trends/statuses',
];
/** That need neither a token nor parameters. */
export const openReads = [
  '/api/v2/instance',
  '/api/v1/instance',
  '/api/v1/instance/rules',
  '/api/v1/instance/extended_description',
  '/api/v1/instance/privacy_policy',
  '/api/v1/instance/peers',
  '/api/v1/peers/search',
  '/api/v1/instance/activity',
  '/api/v1/instance/translation_languages',
  '/api/v1/instance/domain_blocks',
  '/api/v1/instance/languages',
  '/api/v1/custom_emojis',
  '/api/v1/trends',
  '/api/v1/trends/tags',
  '/api/v1/trends/statuses',
  '/api/v1/trends/links',
];

/** In this order. */
export const pushRows = (ask: (method: string, json?: unknown) => Promise<Answered>) =>
  [
    ['POST /api/v1/push/subscription', () => ask('POST', { subscription })],
    ['GET /api/v1/push/subscription', () => ask('GET')],
    ['PUT /api/v1/push/subscription', () => ask('PUT', { data: { policy: 'none' } })],
    ['PATCH /api/v1/push/subscription', () => ask('PATCH', {})],
    ['DELETE /api/v1/push/subscription', () => ask('DELETE')],
  ] as const;

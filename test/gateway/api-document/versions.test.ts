/**
 * Clients enable features by the API versions that the server states: everything that a version promises is served, and
 * no version is skipped (docs/decisions/0041).
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiVersions, compatibleVersion } from '../../../src/services/software.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: unknown;
}

/** Held against the declarations by its own test. */
const { paths } = JSON.parse(readFileSync('test/snapshots/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

function isServed(promise: string): boolean {
  const [method, path, parameter] = promise.split(' ') as [string, string, string?];
  const named = path.replace(/:(\w+)/g, '{$1}');
  const operation = paths[named]?.[method.toLowerCase()];
  return operation !== undefined && (parameter === undefined || JSON.stringify(operation).includes(`"${parameter}`));
}

/** By the number of api_versions.mastodon at which clients may use it. */
const promises: Readonly<Record<number, readonly string[]>> = {
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
  3: ['PATCH /api/v1/accounts/update_credentials attribution_domains'],
  4: ['DELETE /api/v1/media/:id', 'DELETE /api/v1/statuses/:id delete_media'],
  5: ['POST /api/v2/filters blur', 'PUT /api/v2/filters/:id blur'],
  7: [
    'POST /api/v1/statuses quoted_status_id',
    'GET /api/v1/statuses/:id/quotes',
    'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
    'PUT /api/v1/statuses/:id/interaction_policy',
  ],
  8: ['GET /api/v1/profile', 'PATCH /api/v1/profile', 'GET /api/v1/annual_reports/:year/state'],
  9: ['PATCH /api/v1/profile avatar_description', 'PATCH /api/v1/profile header_description'],
  10: [
    'GET /api/v1/collections/:id',
    'POST /api/v1/collections',
    'PATCH /api/v1/collections/:id',
    'DELETE /api/v1/collections/:id',
    'POST /api/v1/collections/:collection_id/items',
    'DELETE /api/v1/collections/:collection_id/items/:id',
    'POST /api/v1/collections/:collection_id/items/:id/revoke',
    'GET /api/v1/accounts/:id/collections',
    'GET /api/v1/accounts/:id/in_collections',
    'POST /api/v1/reports collection_ids',
    'GET /api/v1/notifications supported_types',
    'GET /api/v1/notifications/:id supported_types',
    'GET /api/v2/notifications supported_types',
    'GET /api/v2/notifications/:group_key supported_types',
  ],
  11: [
    'PATCH /api/v1/accounts/update_credentials avatar_description',
    'PATCH /api/v1/accounts/update_credentials header_description',
  ],
};
const numbers = Object.keys(promises).map(Number);

/** Nothing that the documentation names. */
const withoutPromises = [6];

test.each(numbers.filter((number) => number <= apiVersions.mastodon))('what number %i promises is served', (number) => {
  expect(promises[number]!.filter((promise) => !isServed(promise))).toEqual([]);
});

test('no number is skipped', () => {
  const stated = Array.from({ length: apiVersions.mastodon - 1 }, (_, index) => index + 2);
  expect(stated.filter((number) => !numbers.includes(number) && !withoutPromises.includes(number))).toEqual([]);
});

test('the number is raised as soon as the next one is whole', () => {
  const waiting = numbers.filter((number) => number > apiVersions.mastodon && promises[number]!.every(isServed));
  expect(waiting).toEqual([]);
});

/** What releases up to the one that the version names brought, and clients look for by it. */
const releases: Readonly<Record<string, readonly string[]>> = {
  '4.0.0': [
    'GET /api/v2/instance',
    'GET /api/v2/filters',
    'POST /api/v1/tags/:name/follow',
    'GET /api/v1/followed_tags',
    'GET /api/v1/instance/domain_blocks',
    'GET /api/v1/instance/privacy_policy',
    'GET /api/v1/instance/extended_description',
  ],
  '4.2.0': ['GET /api/v1/instance/languages', 'DELETE /api/v1/profile/avatar', 'DELETE /api/v1/profile/header'],
  '4.3.0': [
    'GET /api/v1/accounts',
    'GET /api/v1/statuses',
    'GET /api/v1/notifications/unread_count',
    'GET /api/v1/annual_reports',
  ],
  '4.4.0': [
    'POST /api/v1/accounts/:id/endorse',
    'POST /api/v1/accounts/:id/unendorse',
    'GET /api/v1/accounts/:id/endorsements',
    'POST /api/v1/tags/:name/feature',
    'POST /api/v1/tags/:name/unfeature',
    'GET /api/v1/instance/terms_of_service',
    'GET /api/v1/instance/terms_of_service/:date',
    'GET /oauth/userinfo',
    'POST /api/v2/filters blur',
  ],
  '4.5.0': promises[7]!,
  '4.6.0': [...promises[8]!, ...promises[10]!, 'POST /api/v1/annual_reports/:year/generate'],
};

test.each(Object.entries(releases))('what release %s brought is served', (release, brought) => {
  expect(compatibleVersion.split(' ')[0]! >= release).toBe(true);
  expect(brought.filter((promise) => !isServed(promise))).toEqual([]);
});

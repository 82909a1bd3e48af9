/** Rules for all declared endpoints, and for removed ones. */
import { describe, expect, test } from 'vitest';
import { Router } from '../../../src/gateway/http/router.ts';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';

const declared = endpoints.flatMap((endpoint) => endpoint.methods.map((method) => ({ method, endpoint })));

test('PUT and PATCH are one verb: clients send either to every update route', () => {
  const served = (wanted: string) => declared.filter(({ method }) => method === wanted);
  const paths = (wanted: string) => served(wanted).map(({ endpoint }) => endpoint.path);
  expect(paths('PUT').length).toBeGreaterThan(0);
  expect(paths('PATCH').sort()).toEqual(paths('PUT').sort());
  const answers = served('PUT').map(({ endpoint }) => [endpoint.path, endpoint.answer?.def.type] as const);
  for (const [path, answer] of answers)
    expect([path, served('PATCH').find(({ endpoint }) => endpoint.path === path)?.endpoint.answer?.def.type]).toEqual([
      path,
      answer,
    ]);
});

test('a fixed word of one path is never taken for the id of another', () => {
  const router = new Router<(typeof endpoints)[number]>();
  for (const { method, endpoint } of declared) router.add(method, endpoint.path, endpoint);
  const found = declared.map(({ method, endpoint: { path } }) => router.find(method, path.replaceAll(/:\w+/g, '12')));
  expect(found.map((match) => match?.target.path)).toEqual(declared.map(({ endpoint }) => endpoint.path));
});

describe('what the Mastodon API has deprecated says so by the header (RFC 9745)', () => {
  /** Since which release, and when that came. */
  const releases = {
    '3.1.3': Date.UTC(2020, 3, 5),
    '3.4.0': Date.UTC(2021, 4, 16),
    '3.5.0': Date.UTC(2022, 2, 30),
    '4.0.0': Date.UTC(2022, 10, 14),
    '4.4.0': Date.UTC(2025, 6, 8),
  } as const;
  const deprecated: readonly (readonly [route: string, since: keyof typeof releases])[] = [
    ['GET /api/v1/instance', '4.0.0'],
    ['GET /api/v1/accounts/:id/identity_proofs', '3.5.0'],
    ['POST /api/v1/accounts/:id/pin', '4.4.0'],
    ['POST /api/v1/accounts/:id/unpin', '4.4.0'],
    ['GET /api/v1/suggestions', '3.4.0'],
    ['POST /api/v1/media', '3.1.3'],
    ['GET /api/v1/filters', '4.0.0'],
    ['POST /api/v1/filters', '4.0.0'],
    ['DELETE /api/v1/filters/:id', '4.0.0'],
    ['GET /api/v1/filters/:id', '4.0.0'],
    ['PUT /api/v1/filters/:id', '4.0.0'],
    ['GET /api/v1/trends', '3.5.0'],
  ];
  const ofRoute = new Map(declared.map(({ method, endpoint }) => [`${method} ${endpoint.path}`, endpoint]));
  const served = deprecated.filter(([route]) => ofRoute.has(route));

  test.each(served)('%s since %s', (route, since) => {
    expect(new Date(ofRoute.get(route)!.deprecated?.at ?? 0)).toEqual(new Date(releases[since]));
  });

  test('and nothing else does', () => {
    const paths = new Set(deprecated.map(([route]) => route.split(' ')[1]));
    const others = endpoints.filter(({ deprecated: said, path }) => said !== undefined && !paths.has(path));
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});

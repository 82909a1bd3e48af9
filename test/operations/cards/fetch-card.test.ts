/** The effect of link cards: what sites do wrong is an answer, with the time of another attempt where one may succeed. */
import { expect, test } from 'vitest';
import { cardLimits } from '../../../src/actors/domain/cards/limits.ts';
import { cardRunner } from '../../../src/operations/cards/fetch-card.ts';
import * as tasks from '../../../src/outbound/cards/read-page.task.ts';
import { type FetchFailureKind, type FetchResult, fetchFailure } from '../../../src/outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../../src/outbound/fetcher/fetcher.ts';
import type { Pool } from '../../../src/runtime/pool.ts';
import type { NetworkServices } from '../../../src/services/network-services.ts';
import { only } from '../../support/only.ts';

const url = 'http://site.example/';
const { failedMilliseconds } = cardLimits;

const htmlPool = only<Pool>('html pool', {
  run: async (_file, name, input) => (tasks as unknown as Record<string, (given: unknown) => never>)[name]!(input),
});

/** Pages that name no author. */
const unasked = {
  resolver: only<NetworkServices['resolver']>('resolver', {}),
  snapshots: only<NetworkServices['snapshots']>('snapshots', {}),
};

async function run(cards: boolean, result: FetchResult, asked: string[] = []) {
  const policy = { allowHttp: false };
  const fetcher = {
    connections: { policy },
    get: async ({ url: address }: { url: string }) => {
      asked.push(address);
      return result;
    },
  } as unknown as Fetcher;
  const options = only<NetworkServices['options']>('options', { cards });
  const [, runner] = cardRunner(only<NetworkServices>('services', { options, htmlPool, ...unasked }), fetcher);
  return runner({ url });
}

const page = (html: string): FetchResult => ({
  ...{ ok: true, status: 200, url: 'https://site.example/', headers: {}, contentType: 'text/html', cut: false },
  body: Buffer.from(html),
});

test.each<[FetchFailureKind, number | undefined, object]>([
  ['notFound', 86_400_000, { url }],
  ['blocked', undefined, { url }],
  ['unreachable', 60_000, { url, againMilliseconds: failedMilliseconds }],
  ['throttled', 3 * failedMilliseconds, { url, againMilliseconds: 3 * failedMilliseconds }],
])('%s', async (kind, wait, answer) => {
  expect(await run(true, fetchFailure(kind, 'no', undefined, wait))).toEqual(answer);
});

test('a page without a title has no card; one with a title has', async () => {
  expect(await run(true, page('<p>x'))).toEqual({ url });
  const card = { url: 'https://site.example/', title: 'T', description: '' };
  expect(await run(true, page('<title>T</title>'))).toEqual({ url, card });
});

test('only TLS is spoken where plain text is not allowed, and nothing where cards are off', async () => {
  const asked: string[] = [];
  await run(true, page(''), asked);
  expect(await run(false, page('<title>T</title>'), asked)).toEqual({ url });
  expect(asked).toEqual(['https://site.example/']);
});

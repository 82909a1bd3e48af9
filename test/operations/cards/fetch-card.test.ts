/** The effect of link cards: what sites do wrong is an answer, with the time of another attempt where one may succeed. */
import { expect, test } from 'vitest';
import type { FetchedCard } from '../../../src/actors/domain/cards/cards.messages.ts';
import { cardLimits } from '../../../src/actors/domain/cards/limits.ts';
import { domainBlocks } from '../../../src/actors/instance/domains/domains.state.ts';
import { secrets } from '../../../src/actors/instance/instance.state.ts';
import { cardRunner } from '../../../src/operations/cards/fetch-card.ts';
import * as tasks from '../../../src/outbound/cards/read-page.task.ts';
import { type FetchFailureKind, type FetchResult, fetchFailure } from '../../../src/outbound/fetcher/fetch-result.ts';
import type { Fetcher, FetchRequest } from '../../../src/outbound/fetcher/fetcher.ts';
import type { Pool } from '../../../src/runtime/pool.ts';
import type { Snapshots } from '../../../src/runtime/storage/snapshots.ts';
import type { PictureFacts } from '../../../src/services/media/decode-picture.task.ts';
import type { RemoteFileReply } from '../../../src/services/media/remote-media.ts';
import { Members } from '../../../src/services/members.ts';
import type { NetworkServices } from '../../../src/services/network-services.ts';
import { only } from '../../support/only.ts';

const url = 'http://site.example/';
const { failedMilliseconds } = cardLimits;

const htmlPool = only<Pool>('html pool', {
  run: async (_file, name, input) => (tasks as unknown as Record<string, (given: unknown) => never>)[name]!(input),
});

/** Staff have suspended one server, and show no media of another. */
const rules = [
  { domain: 'suspended.example', severity: 'suspend', rejectMedia: false, rejectReports: false },
  { domain: 'unseen.example', severity: 'noop', rejectMedia: true, rejectReports: false },
].map((value) => ({ value }));
const snapshots = only<Snapshots>('snapshots', {
  get: ((space: unknown) => (space === secrets ? { formSecret: 'x' } : undefined)) as unknown as Snapshots['get'],
  range: ((space: unknown) => (space === domainBlocks ? rules : [])) as unknown as Snapshots['range'],
});

interface Given {
  readonly cards?: boolean;
  readonly picture?: RemoteFileReply;
  readonly asked?: object[];
  readonly link?: string;
}

const facts: PictureFacts = { width: 640, height: 336, blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' };

async function run(result: FetchResult, { cards = true, picture, asked = [], link = url }: Given = {}) {
  const fetcher = {
    connections: { policy: { allowHttp: false } },
    get: async ({ url: address, acceptLanguage }: FetchRequest) => {
      asked.push({ url: address, acceptLanguage });
      return result;
    },
  } as unknown as Fetcher;
  const services = only<NetworkServices>('services', {
    ...{ htmlPool, snapshots, members: new Members() },
    events: only<NetworkServices['events']>('events', { onInvalidation: () => undefined, onLoss: () => undefined }),
    options: only<NetworkServices['options']>('options', { cards, language: 'de' }),
    // Pages of these tests name no author.
    resolver: only<NetworkServices['resolver']>('resolver', {}),
    remoteMedia: only<NetworkServices['remoteMedia']>('remote media', {
      async file(file) {
        asked.push(file);
        return picture ?? { state: 'unreachable' };
      },
    }),
    mediaPool: only<Pool>('media pool', { run: async () => facts as never }),
  });
  const [, runner] = cardRunner(services, fetcher);
  return runner({ url: link });
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
  expect(await run(fetchFailure(kind, 'no', undefined, wait))).toEqual(answer);
});

test('a page without a title has no card; one with a title has', async () => {
  expect(await run(page('<p>x'))).toEqual({ url });
  const card = { url: 'https://site.example/', title: 'T', description: '' };
  expect(await run(page('<title>T</title>'))).toEqual({ url, card });
});

test('only TLS is spoken where plain text is not allowed, in the language of the server, and nothing where cards are off', async () => {
  const asked: object[] = [];
  await run(page(''), { asked });
  expect(await run(page('<title>T</title>'), { cards: false, asked })).toEqual({
    url,
    againMilliseconds: failedMilliseconds,
  });
  expect(asked).toEqual([{ url: 'https://site.example/', acceptLanguage: 'de, *;q=0.5' }]);
});

const pictured = '<title>T</title><meta property="og:image" content="http://site.example/a.png">';

test.each<[string, RemoteFileReply, object]>([
  ['kept', { state: 'kept', path: 'a' }, { image: 'https://site.example/a.png', ...facts }],
  ['no picture', { state: 'refused' }, {}],
  ['not to be had now', { state: 'unreachable' }, {}],
])('the media proxy fetches its picture: %s', async (_what, picture, shown) => {
  const asked: object[] = [];
  const { card } = (await run(page(pictured), { picture, asked })) as FetchedCard;
  expect(card).toEqual({ url: 'https://site.example/', title: 'T', description: '', ...shown });
  expect(asked[1]).toEqual({ kind: 'card', address: 'https://site.example/a.png', mayFetch: true });
});

test('nothing is fetched of a suspended server, and no picture of one whose media are rejected', async () => {
  const asked: object[] = [];
  const link = 'https://www.suspended.example/a';
  expect(await run(page(pictured), { asked, link })).toEqual({ url: link, againMilliseconds: failedMilliseconds });
  expect(asked).toEqual([]);
  const moved = { ...page(pictured), url: 'https://suspended.example/' } as FetchResult;
  expect(await run(moved)).toEqual({ url });
  const unseen = { ...page(pictured), url: 'https://unseen.example/' } as FetchResult;
  const picture: RemoteFileReply = { state: 'kept', path: 'a' };
  const { card } = (await run(unseen, { asked, picture })) as FetchedCard;
  expect([card?.title, card?.image, asked.length]).toEqual(['T', undefined, 1]);
});

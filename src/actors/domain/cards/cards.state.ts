/** The keyspaces of link cards. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace, uint53 } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { awaits, countEntries, disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { identifier } from '../../account/account.records.ts';
import { Card } from '../../account/cards/cards.records.ts';
import { hostOfPage } from '../../policy/page-host.ts';
import { Domain } from '../domain.messages.ts';

const owner = 'domain';

/** Times are milliseconds since 1970. */
const KeptCard = z.object({
  /** What statuses link to. */
  url: z.string(),
  /** It is fetched anew from then on. */
  freshUntil: z.number(),
  card: Card.optional(),
  /** It waits to be fetched, from then on. */
  dueAt: z.number().optional(),
  isBeingFetched: z.boolean().optional(),
});
export type KeptCard = z.infer<typeof KeptCard>;

export const cards = keyspace<[string, string], KeptCard>({
  number: 113,
  name: 'cards',
  owner,
  key: [hashedString('domain'), hashedString('page')],
  value: record(KeptCard),
  bound: { by: 'owner', reason: 'as long as a status shows it, and two weeks' },
});

const Showing = z.object({
  accountId: identifier,
  /** It is informed when the card has been fetched. */
  isWaiting: z.boolean().optional(),
});
export const cardStatuses = keyspace<[string, string, bigint], z.infer<typeof Showing>>({
  number: 114,
  name: 'statuses with cards',
  owner,
  scopeParts: 2,
  key: [hashedString('domain'), hashedString('page'), id('status')],
  value: record(Showing),
  bound: { by: 'owner', reason: 'as long as the status links to the page' },
});

/** By the time from which they are fetched. */
const Waiting = z.object({ url: z.string() });
export const cardQueue = keyspace<[string, number, string], z.infer<typeof Waiting>>({
  number: 115,
  name: 'cards to fetch',
  owner,
  key: [hashedString('domain'), uint53('due'), hashedString('page')],
  value: record(Waiting),
  bound: { by: 'owner', reason: 'until it is fetched' },
});

const CardFetches = z.object({
  host: z.string(),
  waiting: z.number(),
  /** The page under way: a host is asked for one at a time. */
  running: z.string().optional(),
});
export const cardFetches = keyspace<[string], z.infer<typeof CardFetches>>({
  number: 116,
  name: 'card fetches',
  owner,
  key: [hashedString('domain')],
  value: record(CardFetches),
  bound: { by: 'owner', reason: 'only while pages wait or are fetched' },
});

export function hasCardStatuses(reader: Reader, url: string): boolean {
  for (const _status of reader.range(cardStatuses, [hostOfPage(url), url], { limit: 1 })) return true;
  return false;
}

interface OfPage {
  readonly url: string;
}

const isOfPage = (_key: [string, string], { url }: OfPage, bytes: Uint8Array) =>
  isKey(cards, [hostOfPage(url), url], bytes);

export const cardRules: readonly Rule[] = [
  rule(cards, (_key, { url, dueAt }, reader) =>
    dueAt === undefined || reader.get(cardQueue, [hostOfPage(url), dueAt, url]) !== undefined
      ? undefined
      : 'is not among those to fetch',
  ),
  rule(cards, (_key, { url, isBeingFetched }, reader) =>
    isBeingFetched !== true || reader.get(cardFetches, [hostOfPage(url)])?.running === url
      ? undefined
      : 'is not the one under way',
  ),
  rule(cardQueue, ([, dueAt], { url }, reader) =>
    reader.get(cards, [hostOfPage(url), url])?.dueAt === dueAt ? undefined : 'does not wait',
  ),
  rule(cardFetches, (_key, { host, waiting }, reader) =>
    disagreement('pages that wait', waiting, countEntries(reader, cardQueue, [host])),
  ),
  awaits(cards, [Domain.forgetCard], {
    isAwaiting: (_key, { url, dueAt, isBeingFetched }, reader) =>
      dueAt === undefined && isBeingFetched !== true && !hasCardStatuses(reader, url),
    isMeant: isOfPage,
  }),
  awaits(cards, [Domain.cardFetched], {
    isAwaiting: (_key, { isBeingFetched }) => isBeingFetched === true,
    isMeant: isOfPage,
  }),
  awaits(cardQueue, [Domain.fetchCards, Domain.cardFetched]),
];

/** The keyspaces of threads that are fetched. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace, uint53 } from '../../../runtime/storage/keyspace.ts';
import { awaits, countEntries, disagreement, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Domain } from '../domain.messages.ts';
import { threadLimits } from './limits.ts';
import { ThreadStep } from './threads.messages.ts';

const owner = 'domain';

const AskedHost = z.object({ host: z.string(), requests: z.number(), failures: z.number() });
export type AskedHost = z.infer<typeof AskedHost>;

/** A thread under way. Times are milliseconds since 1970. */
const ThreadFetch = z.object({
  /** Of the status that was opened. */
  host: z.string(),
  startedAt: z.number(),
  /** For so long it is not fetched again. */
  ageMilliseconds: z.number(),
  requestsMax: z.number(),
  requestsPerHostMax: z.number(),
  requests: z.number(),
  stored: z.number(),
  running: z.number(),
  waiting: z.number(),
  /** Addresses seen. */
  addresses: z.number(),
  /** Something was left out because of a bound. */
  isCut: z.boolean(),
  hosts: z.array(AskedHost),
});
export type ThreadFetch = z.infer<typeof ThreadFetch>;

export const threadFetches = keyspace<[string, bigint], ThreadFetch>({
  number: 118,
  name: 'threads under way',
  owner,
  key: [hashedString('domain'), id('status')],
  value: record(ThreadFetch),
  bound: { by: 'count', entries: threadLimits.perHostMax },
});

const FetchedThread = z.object({ startedAt: z.number(), until: z.number(), stored: z.number(), isCut: z.boolean() });

/** Threads that were fetched lately. */
export const fetchedThreads = keyspace<[string, bigint], z.infer<typeof FetchedThread>>({
  number: 119,
  name: 'fetched threads',
  owner,
  key: [hashedString('domain'), id('status')],
  value: record(FetchedThread),
  bound: { by: 'owner', reason: 'until the thread may be fetched again' },
});

const Address = z.object({ url: z.string() });

/** Everything that the thread has named so far: each is asked for once. */
export const threadAddresses = keyspace<[string, bigint, string], z.infer<typeof Address>>({
  number: 124,
  name: 'addresses of threads',
  owner,
  scopeParts: 2,
  key: [hashedString('domain'), id('status'), hashedString('address')],
  value: record(Address),
  bound: { by: 'count', entries: threadLimits.addressesMax },
});

/** What is still to be fetched, in the order of the numbers. */
export const threadQueue = keyspace<[string, bigint, number], ThreadStep>({
  number: 125,
  name: 'steps of threads',
  owner,
  scopeParts: 2,
  key: [hashedString('domain'), id('status'), uint53('number')],
  value: record(ThreadStep),
  bound: { by: 'count', entries: threadLimits.addressesMax },
});

interface OfThread {
  readonly statusId: bigint;
}

const isOfThread = ([, statusId]: readonly [string, bigint], body: OfThread) => body.statusId === statusId;

export const threadFetchRules: readonly Rule[] = [
  rule(threadFetches, ([, statusId], { host, waiting }, reader) =>
    disagreement('steps that wait', waiting, countEntries(reader, threadQueue, [host, statusId])),
  ),
  rule(threadFetches, ([, statusId], { host, addresses }, reader) =>
    disagreement('addresses', addresses, countEntries(reader, threadAddresses, [host, statusId])),
  ),
  awaits(threadFetches, [Domain.threadDue], { isMeant: isOfThread }),
  awaits(fetchedThreads, [Domain.threadDue], { isMeant: isOfThread }),
];

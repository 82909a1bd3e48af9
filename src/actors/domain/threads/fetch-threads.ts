/**
 * Fetches the thread of a status that somebody has opened: what it answers, upwards, and what answers it, breadth first
 * and across hosts. Every step is an effect, so that a restart goes on where it was.
 *
 * INVARIANTS
 * 1. Each address is asked for once, so that loops and endless pages end; all steps, and those of each host, are bounded.
 * 2. A thread under way has a timer that ends it.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Turn } from '../../../runtime/partition/turn.ts';
import { hostOfPage } from '../../policy/page-host.ts';
import { Domain } from '../domain.messages.ts';
import { threadLimits } from './limits.ts';
import { fetchThreadStep } from './threads.effects.ts';
import type { FoundStep, ThreadStep, ThreadStepped } from './threads.messages.ts';
import {
  type AskedHost,
  fetchedThreads,
  type ThreadFetch,
  threadAddresses,
  threadFetches,
  threadQueue,
} from './threads.state.ts';

type DomainTurn = Turn<string>;

/**
 * The order of what waits: pages, which name the others, and ancestors; statuses that are not here, so that every time
 * brings something new; those that are.
 */
const ranks = { first: 0, unknown: 1, known: 2 } as const;
const numbersPerRank = 2 ** 40;

export function fetchThread(turn: DomainTurn, message: BodyOf<typeof Domain.fetchThread>): undefined {
  const { statusId, uri, ageMilliseconds, requestsMax, requestsPerHostMax } = message;
  const host = turn.self.key;
  if (turn.get(threadFetches, [host, statusId]) !== undefined) return;
  const before = turn.get(fetchedThreads, [host, statusId]);
  if (before !== undefined && before.until > turn.now) return;
  const limit = threadLimits.perHostMax;
  if ([...turn.range(threadFetches, [host], { limit })].length >= limit) return;
  if (before !== undefined) turn.delete(fetchedThreads, [host, statusId]);
  const startedAt = turn.now;
  const bounds = { ageMilliseconds, requestsMax, requestsPerHostMax };
  const counts = { requests: 0, stored: 0, running: 0, waiting: 0, addresses: 0 };
  const begun = { host, startedAt, ...bounds, ...counts, isCut: false, hosts: [] };
  turn.schedule(startedAt + threadLimits.lifetimeMilliseconds, Domain.threadDue.to(host, { statusId, startedAt }));
  goOn(turn, statusId, enqueue(turn, statusId, begun, [{ kind: 'status', url: uri, depth: 0 }]));
}

export function threadStepped(turn: DomainTurn, message: BodyOf<typeof Domain.threadStepped>): undefined {
  const { statusId, startedAt, step, outcome, stored, moreRequests, found } = message;
  const before = turn.get(threadFetches, [turn.self.key, statusId]);
  if (before?.startedAt !== startedAt) return;
  const host = hostOfPage(step.url);
  const isBusy = outcome === 'busy';
  const fetch: ThreadFetch = {
    ...before,
    running: before.running - 1,
    requests: before.requests + moreRequests - (isBusy ? 1 : 0),
    stored: before.stored + stored,
    hosts: before.hosts.map((asked) => (asked.host === host ? afterwards(asked, outcome) : asked)),
  };
  if (outcome === 'blocked') finish(turn, statusId, { ...fetch, isCut: true });
  else if (isBusy) waitFor(turn, statusId, fetch, step);
  else goOn(turn, statusId, enqueue(turn, statusId, fetch, found));
}

function afterwards(asked: AskedHost, outcome: ThreadStepped['outcome']): AskedHost {
  if (outcome === 'busy') return { ...asked, requests: asked.requests - 1 };
  return { ...asked, failures: outcome === 'failed' ? asked.failures + 1 : 0 };
}

/** The step comes behind everything else, and nothing else is asked for until the timer. */
function waitFor(turn: DomainTurn, statusId: Id, fetch: ThreadFetch, step: ThreadStep): void {
  const { key: self } = turn.self;
  const [last] = turn.range(threadQueue, [self, statusId], { reverse: true, limit: 1 });
  const number = Math.max(last?.key[2] ?? 0, ranks.known * numbersPerRank + fetch.addresses) + 1;
  turn.put(threadQueue, [self, statusId, number], step);
  turn.put(threadFetches, [self, statusId], { ...fetch, waiting: fetch.waiting + 1 });
  const { startedAt } = fetch;
  turn.schedule(turn.now + threadLimits.busyMilliseconds, Domain.threadDue.to(self, { statusId, startedAt }));
}

export function threadDue(turn: DomainTurn, message: BodyOf<typeof Domain.threadDue>): undefined {
  const { statusId, startedAt } = message;
  const host = turn.self.key;
  const over = turn.get(fetchedThreads, [host, statusId]);
  if (over?.startedAt === startedAt && over.until <= turn.now) turn.delete(fetchedThreads, [host, statusId]);
  const fetch = turn.get(threadFetches, [host, statusId]);
  if (fetch?.startedAt !== startedAt) return;
  if (turn.now >= startedAt + threadLimits.lifetimeMilliseconds) finish(turn, statusId, { ...fetch, isCut: true });
  else goOn(turn, statusId, fetch);
}

/** Adds what was not seen before. */
function enqueue(
  turn: DomainTurn,
  statusId: Id,
  fetch: ThreadFetch,
  found: readonly (ThreadStep & Pick<FoundStep, 'isKnown'>)[],
): ThreadFetch {
  let { addresses, waiting, isCut } = fetch;
  for (const { isKnown, ...step } of found) {
    const key: [string, bigint, string] = [turn.self.key, statusId, step.url];
    if (turn.get(threadAddresses, key) !== undefined) continue;
    if (addresses >= threadLimits.addressesMax || isTooFar(step)) {
      isCut = true;
      continue;
    }
    turn.put(threadAddresses, key, { url: step.url });
    turn.put(threadQueue, [turn.self.key, statusId, rankOf(step, isKnown) * numbersPerRank + addresses], step);
    addresses += 1;
    waiting += 1;
  }
  return { ...fetch, addresses, waiting, isCut };
}

function isTooFar({ kind, depth, page = 0 }: ThreadStep): boolean {
  if (kind === 'ancestor') return depth > threadLimits.ancestorsMax;
  return depth > threadLimits.depthMax || page > threadLimits.pagesMax;
}

function rankOf({ kind, depth }: ThreadStep, isKnown = false): number {
  if (kind !== 'status' || depth === 0) return ranks.first;
  return isKnown ? ranks.known : ranks.unknown;
}

function goOn(turn: DomainTurn, statusId: Id, begun: ThreadFetch): void {
  const { key: self } = turn.self;
  let fetch = begun;
  while (fetch.running < threadLimits.runningMax) {
    const [first] = turn.range(threadQueue, [self, statusId], { limit: 1 });
    if (first === undefined) break;
    turn.delete(threadQueue, [self, statusId, first.key[2]]);
    fetch = { ...fetch, waiting: fetch.waiting - 1 };
    const asked = askedOnceMore(fetch, hostOfPage(first.value.url));
    fetch = asked === undefined ? { ...fetch, isCut: true } : asked;
    if (asked === undefined) continue;
    const { startedAt, host } = fetch;
    turn.effect(fetchThreadStep, { statusId, startedAt, host, step: first.value }, Domain.threadStepped);
  }
  if (fetch.running === 0) finish(turn, statusId, fetch);
  else turn.put(threadFetches, [self, statusId], fetch);
}

/** Undefined where the bounds allow no further request to this host. */
function askedOnceMore(fetch: ThreadFetch, host: string): ThreadFetch | undefined {
  const { hosts, requests, requestsMax, requestsPerHostMax, running } = fetch;
  if (requests >= requestsMax) return undefined;
  const known = hosts.find((asked) => asked.host === host);
  if (known === undefined && hosts.length >= threadLimits.hostsMax) return undefined;
  const asked = known ?? { host, requests: 0, failures: 0 };
  if (asked.requests >= requestsPerHostMax || asked.failures >= threadLimits.failuresMax) return undefined;
  const once = { ...asked, requests: asked.requests + 1 };
  const others = hosts.filter((other) => other.host !== host);
  return { ...fetch, requests: requests + 1, running: running + 1, hosts: [...others, once] };
}

function finish(turn: DomainTurn, statusId: Id, { startedAt, ageMilliseconds, stored, isCut }: ThreadFetch): void {
  const { key: host } = turn.self;
  for (const { key } of [...turn.range(threadQueue, [host, statusId])])
    turn.delete(threadQueue, [host, statusId, key[2]]);
  for (const { value } of [...turn.range(threadAddresses, [host, statusId])])
    turn.delete(threadAddresses, [host, statusId, value.url]);
  turn.delete(threadFetches, [host, statusId]);
  const until = turn.now + ageMilliseconds;
  turn.put(fetchedThreads, [host, statusId], { startedAt, until, stored, isCut });
  turn.schedule(until, Domain.threadDue.to(host, { statusId, startedAt }));
}

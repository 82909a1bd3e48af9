/** Commands about deliveries to other servers. */
import { deliveriesListedMax, listDeliveries } from '../../../operations/administration/list-deliveries.ts';
import { retryDeliveries } from '../../../operations/administration/retry-deliveries.ts';
import type { LaneReport } from '../../../services/delivery-lanes.ts';
import { command } from './command.ts';
import { wholeNumber } from './reading.ts';

const hostsListed = 20;

const list = command({
  words: 'deliveries list',
  flags: { limit: { value: 'NUMBER', sentence: `Number of servers to list, ${hostsListed} by default.` } },
  sentence: 'Lists the servers that were delivered to since the start; those that fail or refuse come first.',
  read: (_argument, flags) => ({ limit: wholeNumber(flags, 'limit', deliveriesListedMax) ?? hostsListed }),
  operation: listDeliveries,
  print: ({ hosts, rest }) => {
    if (hosts.length === 0) return ['Nothing was delivered to other servers since the start.'];
    return [...hosts.map(describeLane), ...(rest > 0 ? [`${rest} more servers are doing better.`] : [])];
  },
});

/** The lanes to one host on a line. */
export function describeLane(lane: LaneReport): string {
  const { host, state, pending, hasMore, failures, failingSince, nextAttemptAt, lastAnswerAt, refusals, lastRefusal } =
    lane;
  return [
    `${host}  ${state}`,
    `${pending}${hasMore ? ' or more' : ''} pending`,
    ...(failingSince === undefined ? [] : [`failing since ${time(failingSince)} (${failures} attempts)`]),
    ...(nextAttemptAt === undefined ? [] : [`next attempt ${time(nextAttemptAt)}`]),
    ...(lastRefusal === undefined
      ? []
      : [`refused ${refusals}, last with ${lastRefusal.status} at ${time(lastRefusal.at)}`]),
    ...(lastAnswerAt === undefined ? ['no answer yet'] : [`last answer ${time(lastAnswerAt)}`]),
  ].join(', ');
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const retry = command({
  words: 'deliveries retry',
  argument: 'HOST|all',
  sentence: 'Tries at once what waits for a server whose deliveries fail, or for all such servers.',
  read: (host) => ({ host }),
  operation: retryDeliveries,
  print: (hosts, { host }) => {
    if (host !== 'all') return [hosts > 0 ? `Deliveries to ${host} are tried.` : `Deliveries to ${host} do not fail.`];
    return [hosts > 0 ? `Deliveries to ${hosts} servers are tried.` : 'No deliveries fail.'];
  },
});

export const deliveryCommands = [list, retry];

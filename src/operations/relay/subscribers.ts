/** The subscribers of the relay, as its staff decide about them. */
import { z } from 'zod';
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import { allSubscriptions, findRelayLane } from '../../actors/relay/relay.queries.ts';
import { RelayFilter, type Subscription } from '../../actors/relay/relay.records.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { RelayFinding, RelayLaneReport } from '../../services/relay.ts';
import type { Services } from '../../services/services.ts';
import { otherDomain } from '../administration/domain-names.ts';
import { reads } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

const reasonCharactersMax = 500;
const filterItem = z.string().trim().toLowerCase().min(1).max(250);
const filterItems = z.array(filterItem).max(1_000).optional();
const FilterInput = RelayFilter.extend({
  tags: filterItems,
  languages: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z]{2,3}$/),
    )
    .max(200)
    .optional(),
  onlyServers: filterItems,
  exceptServers: filterItems,
});

const named = z.object({ host: z.string() });

/** A subscription, and how it gets what is passed on; nothing of that since the start where `lane` is undefined. */
export interface Subscriber {
  readonly subscription: Subscription;
  readonly lane: RelayLaneReport | undefined;
}

/** Those that fail first, then by name. */
export const listSubscribers = operation({
  input: z.object({}),
  permission: 'manageFederation',
  audit: reads,
  async run({ services }): Promise<readonly Subscriber[]> {
    demandRelay(services);
    return subscribersOf(services);
  },
});

/** Admits a server that waits, was refused, or has not asked yet. */
export const admitSubscriber = operation({
  input: named,
  permission: 'manageFederation',
  audit: 'admitSubscriber',
  async run({ caller, services, audit }, { host: typed }): Promise<Subscription> {
    const host = subscriberHost(services, typed);
    return services.client.call(Relay.admit.to(relayKey, { host, audit }), flowOf(caller));
  },
});

/** The server gets nothing any more, and asks in vain. */
export const rejectSubscriber = operation({
  input: named.extend({ reason: z.string().trim().max(reasonCharactersMax).optional() }),
  permission: 'manageFederation',
  audit: 'rejectSubscriber',
  async run({ caller, services, audit }, { host: typed, reason }): Promise<Subscription> {
    const host = subscriberHost(services, typed);
    return services.client.call(Relay.reject.to(relayKey, { host, reason, audit }), flowOf(caller));
  },
});

/** The server gets nothing any more; it may ask again. */
export const removeSubscriber = operation({
  input: named,
  permission: 'manageFederation',
  audit: 'removeSubscriber',
  async run({ caller, services, audit }, { host: typed }): Promise<Subscription> {
    const host = subscriberHost(services, typed);
    return services.client.call(Relay.remove.to(relayKey, { host, audit }), flowOf(caller));
  },
});

/** Replaces what a server gets (`takes`), or what is taken from it (`gives`); an empty filter lets everything through. */
export const filterSubscriber = operation({
  input: named.extend({ takes: FilterInput.optional(), gives: FilterInput.optional() }),
  permission: 'manageFederation',
  audit: 'filterSubscriber',
  async run({ caller, services, audit }, { host: typed, takes, gives }): Promise<Subscription> {
    const host = subscriberHost(services, typed);
    return services.client.call(Relay.setFilters.to(relayKey, { host, takes, gives, audit }), flowOf(caller));
  },
});

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Removes subscribers that have failed for so many days without an answer. A dry run only names them. */
export const pruneSubscribers = operation({
  input: z.object({ days: z.int().min(1).max(3_650), isDryRun: z.boolean() }),
  permission: 'manageFederation',
  audit: 'pruneSubscriber',
  async run({ caller, services, audit }, { days, isDryRun }): Promise<readonly string[]> {
    demandRelay(services);
    const { snapshots } = services;
    const before = services.now() - days * dayMilliseconds;
    const hosts = Array.from(allSubscriptions(snapshots))
      // What staff have decided about a server stays.
      .filter(
        ({ state, number }) =>
          state === 'active' && (findRelayLane(snapshots, number)?.failingSince ?? before) < before,
      )
      .map(({ host }) => host)
      .sort();
    if (isDryRun) return hosts;
    for (const host of hosts) await services.client.call(Relay.remove.to(relayKey, { host, audit }), flowOf(caller));
    return hosts;
  },
});

/** Runs the handshake with a server again, and says what fails and why. */
export const examineSubscriber = operation({
  input: named,
  permission: 'manageFederation',
  audit: { nothing: 'it repeats an answer that was given already' },
  async run({ services }, { host: typed }): Promise<readonly RelayFinding[]> {
    return services.relay.examine(subscriberHost(services, typed));
  },
});

async function subscribersOf({ snapshots, relay }: Services): Promise<Subscriber[]> {
  const lanes = new Map((await relay.lanes()).map((lane) => [lane.host, lane]));
  const subscribers = Array.from(allSubscriptions(snapshots), (subscription) => ({
    subscription,
    lane: lanes.get(subscription.host),
  }));
  const failures = ({ lane }: Subscriber) => lane?.failures ?? 0;
  return subscribers.sort(
    (one, other) => failures(other) - failures(one) || (one.subscription.host < other.subscription.host ? -1 : 1),
  );
}

function subscriberHost(services: Services, typed: string): string {
  demandRelay(services);
  return otherDomain(services, typed);
}

function demandRelay({ options }: Services): void {
  if (options.relay === 'off') throw validationFailure('This server is no relay: see MURMURATION_RELAY.');
}

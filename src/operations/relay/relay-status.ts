/** The state of the relay, for everybody. Neither inboxes nor actors are told, and names only where the operator wants it. */

import type { SubscriptionMode } from '../../actors/relay/relay.messages.ts';
import { allSubscriptions, relayState } from '../../actors/relay/relay.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { KeptResult } from '../../services/kept-result.ts';
import { member } from '../../services/members.ts';
import type { Services } from '../../services/services.ts';

interface SubscriberStatus {
  readonly host: string;
  /** Whether it answered last. */
  readonly isReceiving: boolean;
  /** Posts that wait for it. */
  readonly pending: number;
  /** ISO 8601; null where it has not answered since the start. */
  readonly lastAnswerAt: string | null;
}

export interface RelayStatus {
  readonly inbox: string;
  readonly actor: string;
  readonly subscriptions: SubscriptionMode;
  readonly subscribers: { readonly active: number; readonly receiving: number; readonly pending: number };
  readonly posts: {
    /** Since the relay exists. */
    readonly passedOn: number;
    /** That not everybody has got yet; and those that had to make room for others. */
    readonly waiting: number;
    readonly overwritten: number;
    readonly ageMinutesMax: number;
  };
  /** Absent where the operator does not publish them. */
  readonly servers?: readonly SubscriberStatus[];
}

/** Whoever asks for it, network threads are asked once in this time. */
const keptMilliseconds = 10_000;

type StatusServices = Pick<Services, 'options' | 'addresses' | 'snapshots' | 'relay' | 'monotonic'>;

const kept = member(
  (services: StatusServices) =>
    new KeptResult(
      services,
      () => readStatus(services),
      () => keptMilliseconds,
    ),
);

/** At most some seconds old. Throws Failure notFound where the server is no relay. */
export function relayStatus(services: StatusServices & Pick<Services, 'members'>): Promise<RelayStatus> {
  if (services.options.relay === 'off') throw new Failure('notFound');
  return kept(services).get();
}

async function readStatus({ options, addresses, snapshots, relay }: StatusServices): Promise<RelayStatus> {
  const lanes = new Map((await relay.lanes()).map((lane) => [lane.host, lane]));
  const all = [...allSubscriptions(snapshots)];
  const active = all.filter(({ state }) => state === 'active');
  const { nextSequence, overwritten, readers } = relayState(snapshots);
  const read = readers.reduce((least, { floor }) => Math.min(least, floor), nextSequence);
  const servers = active
    .map(({ host }) => {
      const { failures = 0, pending = 0, lastAnswerAt } = lanes.get(host) ?? {};
      const answered = lastAnswerAt === undefined ? null : new Date(lastAnswerAt).toISOString();
      return { host, isReceiving: failures === 0, pending, lastAnswerAt: answered };
    })
    .sort((one, other) => (one.host < other.host ? -1 : 1));
  return {
    inbox: addresses.relayInbox,
    actor: addresses.relayActor,
    subscriptions: options.relaySubscriptions,
    subscribers: {
      active: active.length,
      receiving: servers.filter(({ isReceiving }) => isReceiving).length,
      pending: all.filter(({ state }) => state === 'pending').length,
    },
    posts: {
      passedOn: nextSequence - 1,
      waiting: nextSequence - read,
      overwritten,
      ageMinutesMax: options.relayAgeMinutes,
    },
    ...(options.relayPublishSubscribers && { servers }),
  };
}

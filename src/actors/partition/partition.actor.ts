/**
 * The partition's own actor: statuses for local followers here, announcements for all accounts here, and the log of
 * deliveries to the hosts here.
 */
import { type BodyOf, implement } from '../../runtime/contract.ts';
import type { Turn } from '../../runtime/partition/turn.ts';
import { statusArrived, statusGone, statusRevised } from '../account/statuses/statuses.events.ts';
import type { Destination } from '../intents.ts';
import { emptyDeliveryMeta, numberOfHost, packNumbers } from './hosts.ts';
import { mail, mailEnded } from './mail.ts';
import { mailRoute } from './mail-route.state.ts';
import * as events from './partition.events.ts';
import { PartitionActor } from './partition.messages.ts';
import { deliveryLog, deliveryMeta, followerHostInboxes, followerHostNumbers } from './partition.state.ts';
import { mailsProgressed, progressed, pushesProgressed, webhooksProgressed } from './progressed.ts';
import { push } from './push.ts';
import { relayDestinations } from './relays.state.ts';
import { webhook } from './webhook.ts';
import { webhookTargets } from './webhook-targets.state.ts';

type PartitionTurn = Turn<bigint>;
function arrived(turn: PartitionTurn, facts: BodyOf<typeof PartitionActor.arrived>): undefined {
  turn.emit(statusArrived, facts);
}

function gone(turn: PartitionTurn, facts: BodyOf<typeof PartitionActor.gone>): undefined {
  turn.emit(statusGone, facts);
}

function revised(turn: PartitionTurn, facts: BodyOf<typeof PartitionActor.revised>): undefined {
  turn.emit(statusRevised, facts);
}

/** One record for all hosts of this partition, however many. */
function deliver(
  turn: PartitionTurn,
  { intent, followersOf, destinations }: BodyOf<typeof PartitionActor.deliver>,
): undefined {
  const hosts: number[] = [];
  if (followersOf !== undefined)
    for (const { key } of turn.range(followerHostNumbers, [followersOf])) hosts.push(key[1]);
  const addressed = new Set<number>();
  const unreached: Unreached[] = [];
  for (const destination of destinations) {
    const host = numberOfHost(turn, destination.host);
    addressed.add(host);
    if (!isReached(turn, followersOf, host, destination)) unreached.push({ ...destination, host });
  }
  const single = fewestInboxes(unreached);
  if (hosts.length === 0 && single.length === 0) return;
  const meta = turn.get(deliveryMeta, [0]) ?? emptyDeliveryMeta;
  const sequence = meta.nextSequence;
  turn.put(deliveryMeta, [0], { ...meta, nextSequence: sequence + 1 });
  turn.put(deliveryLog, [sequence], {
    at: turn.now,
    intent,
    followersOf,
    hosts: packNumbers(hosts),
    single,
    addressed: [...addressed],
    ...(turn.cause !== undefined && { cause: turn.cause }),
  });
  turn.emit(events.deliveryAppended, { sequence });
}

type Unreached = Omit<Destination, 'host'> & { readonly host: number };

/** Several of one host are reached by one request to the inbox that they share. */
function fewestInboxes(unreached: readonly Unreached[]): { host: number; inbox: string }[] {
  if (unreached.length < 2) return unreached.map(({ host, inbox }) => ({ host, inbox }));
  const nameOf = ({ host, sharedInbox }: Unreached) => `${host} ${sharedInbox}`;
  const sharing = Map.groupBy(unreached, nameOf);
  const single = new Map<string, { host: number; inbox: string }>();
  for (const destination of unreached) {
    const { host, inbox: own, sharedInbox } = destination;
    const isShared = sharing.get(nameOf(destination))!.length > 1;
    const inbox = isShared ? (sharedInbox ?? own) : own;
    single.set(`${host} ${inbox}`, { host, inbox });
  }
  return [...single.values()];
}

/** Whether the account's followers at that host are reached through the same inbox. */
function isReached(
  turn: PartitionTurn,
  followersOf: bigint | undefined,
  host: number,
  { inbox, sharedInbox }: Destination,
): boolean {
  if (followersOf === undefined) return false;
  const followersUse = (address: string) => turn.get(followerHostInboxes, [followersOf, host, address]) !== undefined;
  return followersUse(inbox) || (sharedInbox !== undefined && followersUse(sharedInbox));
}

function announced(turn: PartitionTurn, message: BodyOf<typeof PartitionActor.announced>): undefined {
  turn.emit(events.announced, message);
}

function announcementReacted(
  turn: PartitionTurn,
  { announcementId, reactions }: BodyOf<typeof PartitionActor.announcementReacted>,
): undefined {
  for (const { name, count } of reactions) turn.emit(events.announcementReacted, { announcementId, name, count });
}

function announcementWithdrawn(
  turn: PartitionTurn,
  message: BodyOf<typeof PartitionActor.announcementWithdrawn>,
): undefined {
  turn.emit(events.announcementWithdrawn, message);
}

function relaysChanged(turn: PartitionTurn, changed: BodyOf<typeof PartitionActor.relaysChanged>): undefined {
  const { version } = turn.get(relayDestinations, [0]) ?? { version: 0n };
  if (version < changed.version) turn.put(relayDestinations, [0], changed);
}

function mailRouted(turn: PartitionTurn, route: BodyOf<typeof PartitionActor.mailRouted>): undefined {
  turn.put(mailRoute, [0], route);
}

function webhooksChanged(turn: PartitionTurn, changed: BodyOf<typeof PartitionActor.webhooksChanged>): undefined {
  const { version } = turn.get(webhookTargets, [0]) ?? { version: 0n };
  if (version < changed.version) turn.put(webhookTargets, [0], changed);
}

export const partitionActor = implement<PartitionTurn>()(PartitionActor, {
  arrived,
  gone,
  revised,
  deliver,
  progressed,
  announced,
  announcementReacted,
  announcementWithdrawn,
  push,
  pushesProgressed,
  mail,
  mailsProgressed,
  mailEnded,
  relaysChanged,
  mailRouted,
  webhook,
  webhooksProgressed,
  webhooksChanged,
});

/**
 * Moves deliveries, push messages, mails, what webhooks are told, and lanes to other partitions. A host belongs to the partition of its name, and
 * everything about it moves there: its number, the inboxes of followers at it, its lanes, and its entries in the logs.
 * Logs of several partitions are merged by the time of their entries, and cursors are translated.
 *
 * INVARIANT a lane has the same deliveries before and behind its cursor as before, in the same order: none is sent
 * twice or left out.
 */
import { slotOfKey } from '../../runtime/ids.ts';
import type { Entry, Reader } from '../../runtime/storage/reader.ts';
import { type EntryToPut, entryToPut, type MoveInput, type Relocation } from '../../runtime/storage/relocation.ts';
import { visitHosts } from './deliveries.queries.ts';
import { packNumbers } from './hosts.ts';
import { type Mail, mailLanes, mailLog, mailReaders } from './mails.state.ts';
import { byTime, MovedLog } from './moved-log.ts';
import {
  type Delivery,
  deliveryLog,
  deliveryMeta,
  deliveryReaders,
  followerHostInboxes,
  followerHosts,
  hostsByNumber,
  laneStates,
  numbersOfHosts,
} from './partition.state.ts';
import { type Push, pushLanes, pushLog, pushReaders } from './pushes.state.ts';
import { type WebhookNews, webhookLanes, webhookLog, webhookReaders } from './webhooks.state.ts';

interface Home {
  readonly partition: number;
  readonly number: number;
}

/** Read without naming an account. */
const everyFollowerHost: typeof followerHosts = { ...followerHosts, scopeBytes: 0 };

class RelocatedDeliveries {
  private readonly input: MoveInput;
  /** Per partition: the new place of each host, by its old number. */
  private readonly homes: readonly Map<number, Home>[];
  private readonly lastHost: number[];
  private readonly deliveries: MovedLog;
  private readonly pushes: MovedLog;
  private readonly mails: MovedLog;
  private readonly webhooks: MovedLog;

  constructor(input: MoveInput) {
    this.input = input;
    const { readers, to } = input;
    this.homes = readers.map(() => new Map());
    this.lastHost = new Array<number>(to.partitions).fill(0);
    this.deliveries = new MovedLog(readers.length, to.partitions);
    this.pushes = new MovedLog(readers.length, to.partitions);
    this.mails = new MovedLog(readers.length, to.partitions);
    this.webhooks = new MovedLog(readers.length, to.partitions);
  }

  *entries(): Generator<EntryToPut> {
    const { readers, to } = this.input;
    for (const [source, reader] of readers.entries()) yield* this.hosts(source, reader);
    for (const [source, reader] of readers.entries()) yield* this.reaches(source, reader);
    for (const { source, entry } of byTime(readers, (reader) => reader.range(deliveryLog, [])))
      yield* this.delivery(source, entry);
    for (const { source, entry } of byTime(readers, (reader) => reader.range(pushLog, [])))
      yield this.push(source, entry);
    for (const { source, entry } of byTime(readers, (reader) => reader.range(mailLog, [])))
      yield this.mail(source, entry);
    for (const { source, entry } of byTime(readers, (reader) => reader.range(webhookLog, [])))
      yield this.webhook(source, entry);
    // The threads that read the logs report their progress anew.
    for (const [source, reader] of readers.entries()) {
      yield* this.lanes(source, reader, laneStates, this.deliveries);
      yield* this.lanes(source, reader, pushLanes, this.pushes);
      yield* this.lanes(source, reader, mailLanes, this.mails);
      yield* this.lanes(source, reader, webhookLanes, this.webhooks);
    }
    for (let partition = 0; partition < to.partitions; partition += 1) {
      const nextHost = this.lastHost[partition]! + 1;
      const nextSequence = this.deliveries.nextSequence(partition);
      const nextPush = this.pushes.nextSequence(partition);
      const nextMail = this.mails.nextSequence(partition);
      const nextWebhook = this.webhooks.nextSequence(partition);
      const meta = { nextSequence, nextHost, nextPush, nextMail, nextWebhook };
      if (nextHost > 1) yield entryToPut(partition, deliveryMeta, [0], meta);
    }
  }

  private *hosts(source: number, reader: Reader): Generator<EntryToPut> {
    for (const { key, value } of reader.range(hostsByNumber, [])) {
      const partition = this.input.to.partitionOf(slotOfKey(value.host));
      this.lastHost[partition]! += 1;
      const number = this.lastHost[partition]!;
      this.homes[source]!.set(key[0], { partition, number });
      yield entryToPut(partition, hostsByNumber, [number], value);
      yield entryToPut(partition, numbersOfHosts, [value.host], { number });
    }
  }

  private *reaches(source: number, reader: Reader): Generator<EntryToPut> {
    for (const { key, value } of reader.range(everyFollowerHost, [])) {
      const [account, host] = key;
      const { partition, number } = this.homeOf(source, host);
      yield entryToPut(partition, followerHosts, [account, number], value);
      for (const { value: kept } of reader.range(followerHostInboxes, [account, host]))
        yield entryToPut(partition, followerHostInboxes, [account, number, kept.inbox], kept);
    }
  }

  /** The part of a delivery for each partition that has hosts in it. */
  private *delivery(source: number, { key, value }: Entry<[number], Delivery>): Generator<EntryToPut> {
    const parts = new Map<number, { hosts: number[]; single: Delivery['single'][number][]; addressed: number[] }>();
    const partOf = (partition: number) => {
      const part = parts.get(partition) ?? { hosts: [], single: [], addressed: [] };
      parts.set(partition, part);
      return part;
    };
    visitHosts(value, (host) => {
      const { partition, number } = this.homeOf(source, host);
      partOf(partition).hosts.push(number);
    });
    for (const { host, inbox } of value.single) {
      const { partition, number } = this.homeOf(source, host);
      partOf(partition).single.push({ host: number, inbox });
    }
    for (const host of value.addressed) {
      const { partition, number } = this.homeOf(source, host);
      parts.get(partition)?.addressed.push(number);
    }
    for (const [partition, { hosts, single, addressed }] of parts) {
      const after = this.deliveries.append(source, key[0], partition);
      const delivery = { ...value, hosts: packNumbers(hosts), single, addressed };
      yield entryToPut(partition, deliveryLog, [after], delivery);
    }
  }

  private push(source: number, { key, value }: Entry<[number], Push>): EntryToPut {
    const { partition, number } = this.homeOf(source, value.host);
    return entryToPut(partition, pushLog, [this.pushes.append(source, key[0], partition)], { ...value, host: number });
  }

  private mail(source: number, { key, value }: Entry<[number], Mail>): EntryToPut {
    const { partition, number } = this.homeOf(source, value.host);
    return entryToPut(partition, mailLog, [this.mails.append(source, key[0], partition)], { ...value, host: number });
  }

  private webhook(source: number, { key, value }: Entry<[number], WebhookNews>): EntryToPut {
    const { partition, number } = this.homeOf(source, value.host);
    const sequence = this.webhooks.append(source, key[0], partition);
    return entryToPut(partition, webhookLog, [sequence], { ...value, host: number });
  }

  private *lanes(source: number, reader: Reader, states: typeof laneStates, log: MovedLog): Generator<EntryToPut> {
    for (const { key, value } of reader.range(states, [])) {
      const { partition, number } = this.homeOf(source, key[0]);
      yield entryToPut(partition, states, [number], log.laneIn(value, source, partition));
    }
  }

  private homeOf(source: number, host: number): Home {
    const home = this.homes[source]!.get(host);
    if (home === undefined) throw new Error(`partition ${source} has no host of the number ${host}`);
    return home;
  }
}

export const deliveryRelocation: Relocation = {
  kind: 'together',
  keyspaces: [
    deliveryMeta,
    hostsByNumber,
    numbersOfHosts,
    followerHosts,
    followerHostInboxes,
    deliveryLog,
    laneStates,
    deliveryReaders,
    pushLog,
    pushLanes,
    pushReaders,
    mailLog,
    mailLanes,
    mailReaders,
    webhookLog,
    webhookLanes,
    webhookReaders,
  ],
  move: (input) => new RelocatedDeliveries(input).entries(),
};

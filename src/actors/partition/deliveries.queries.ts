/** Reads for delivery lanes: the delivery log, its recipients, and the stored progress of each lane. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { LaneState } from './partition.records.ts';
import {
  type Delivery,
  deliveryLog,
  followerHostInboxes,
  type HostInbox,
  hostsByNumber,
  laneStates,
  numbersOfHosts,
} from './partition.state.ts';

export interface LoggedDelivery extends Delivery {
  readonly sequence: number;
}

/** The next deliveries after a sequence, oldest first. `partition` is the reader of one partition, here and below. */
export function deliveriesAfter(partition: Reader, sequence: number, limit: number): LoggedDelivery[] {
  const deliveries: LoggedDelivery[] = [];
  // Counted here: a limit of the range would count damaged entries, which it leaves out.
  for (const { key, value } of partition.range(deliveryLog, [], { from: sequence + 1 })) {
    deliveries.push(Object.assign(value, { sequence: key[0] }));
    if (deliveries.length === limit) break;
  }
  return deliveries;
}

/** Undefined when it was delivered everywhere or is too old. */
export function findDelivery(partition: Reader, sequence: number): LoggedDelivery | undefined {
  const delivery = partition.get(deliveryLog, [sequence]);
  return delivery === undefined ? undefined : Object.assign(delivery, { sequence });
}

/** The sequence of the newest delivery still stored; 0 for none. */
export function newestDelivery(partition: Reader): number {
  for (const { key } of partition.range(deliveryLog, [], { reverse: true })) return key[0];
  return 0;
}

/** Calls `visit` with the number of each host whose followers should get a delivery. */
export function visitHosts(delivery: Pick<Delivery, 'hosts'>, visit: (host: number) => void): void {
  const { buffer, byteOffset, byteLength } = delivery.hosts;
  const numbers = new DataView(buffer, byteOffset, byteLength);
  for (let offset = 0; offset < byteLength; offset += 4) visit(numbers.getUint32(offset));
}

/** The host[:port] with this number. */
export function hostOfNumber(partition: Reader, number: number): string | undefined {
  return partition.get(hostsByNumber, [number])?.host;
}

/** Undefined for a host[:port] that nothing was ever delivered to. */
export function findHostNumber(partition: Reader, host: string): number | undefined {
  return partition.get(numbersOfHosts, [host])?.number;
}

const statesPerSlice = 500;

/** Hosts to which deliveries fail; undefined where other work may run. */
export function* failingHosts(partition: Reader): Generator<{ host: string; failures: number } | undefined> {
  let examined = 0;
  for (const { key, value } of partition.range(laneStates, [])) {
    examined += 1;
    if (examined % statesPerSlice === 0) yield undefined;
    const host = value.failures === 0 ? undefined : hostOfNumber(partition, key[0]);
    if (host !== undefined) yield { host, failures: value.failures };
  }
}

export function findLaneState(partition: Reader, host: number): LaneState | undefined {
  return partition.get(laneStates, [host]);
}

/** The inboxes of an account's followers at a host, with the number of followers behind each. */
export function inboxesAt(partition: Reader, accountId: Id, host: number): HostInbox[] {
  return Array.from(partition.range(followerHostInboxes, [accountId, host]), ({ value }) => value);
}

/** Small numbers for hosts, assigned when an actor of the partition first uses a host. */
import type { Turn } from '../../runtime/partition/turn.ts';
import { type DeliveryMeta, deliveryMeta, hostsByNumber, numbersOfHosts } from './partition.state.ts';

export const emptyDeliveryMeta: DeliveryMeta = { nextSequence: 1, nextHost: 1 };

export function numberOfHost(turn: Turn, host: string): number {
  const known = turn.get(numbersOfHosts, [host]);
  if (known !== undefined) return known.number;
  const meta = turn.get(deliveryMeta, [0]) ?? emptyDeliveryMeta;
  const number = meta.nextHost;
  turn.put(deliveryMeta, [0], { ...meta, nextHost: number + 1 });
  turn.put(numbersOfHosts, [host], { number });
  turn.put(hostsByNumber, [number], { host });
  return number;
}

/** As stored in the delivery log. */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  numbers.forEach((number, index) => void bytes.writeUInt32BE(number, index * 4));
  return bytes;
}

/** Stores the progress of lanes, and deletes deliveries that no lane needs or that are too old. */
import type { z } from 'zod';
import type { Turn } from '../../runtime/partition/turn.ts';
import type { PartitionActor } from './partition.messages.ts';
import {
  deliveryAgeMilliseconds,
  deliveryLog,
  deliveryReaders,
  deliverySequences,
  laneStates,
} from './partition.state.ts';

type Progressed = z.infer<(typeof PartitionActor.progressed)['body']>;

const deletesPerTurn = 500;

export function progressed(turn: Turn<bigint>, { reader, readers, lanes, floor }: Progressed): { more: boolean } {
  for (const { host, ...state } of lanes) turn.put(laneStates, [host], state);
  // Not read before: what stood there may be damaged.
  turn.put(deliveryReaders, [reader], { readers, floor });
  return { more: trim(turn, commonFloor(turn, readers)) };
}

/** A thread that has not reported since the number of threads changed may need everything. */
function commonFloor(turn: Turn<bigint>, readers: number): number {
  let floor = Number.POSITIVE_INFINITY;
  for (let reader = 0; reader < readers; reader += 1) {
    const known = turn.get(deliveryReaders, [reader]);
    if (known === undefined || known.readers !== readers) return 0;
    floor = Math.min(floor, known.floor);
  }
  return floor;
}

function trim(turn: Turn<bigint>, floor: number): boolean {
  let deleted = 0;
  for (const { key } of turn.range(deliverySequences, [], { limit: deletesPerTurn })) {
    if (key[0] >= floor && isRecent(turn, key)) return false;
    turn.delete(deliveryLog, key);
    deleted += 1;
  }
  return deleted === deletesPerTurn;
}

/** Read only where some lane may need it: one that is damaged is deleted when all lanes have passed it. */
function isRecent(turn: Turn<bigint>, key: [number]): boolean {
  const delivery = turn.get(deliveryLog, key);
  return delivery !== undefined && delivery.at + deliveryAgeMilliseconds >= turn.now;
}

/** Stores the progress of lanes, and deletes entries of their log that no lane needs or that are too old. */
import type { z } from 'zod';
import type { Turn } from '../../runtime/partition/turn.ts';
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import { mailAgeMilliseconds, mailLanes, mailLog, mailReaders, mailSequences } from './mails.state.ts';
import type { PartitionActor } from './partition.messages.ts';
import {
  deliveryAgeMilliseconds,
  deliveryLog,
  deliveryReaders,
  deliverySequences,
  laneStates,
} from './partition.state.ts';
import { pushAgeMilliseconds, pushLanes, pushLog, pushReaders, pushSequences } from './pushes.state.ts';
import {
  webhookAgeMilliseconds,
  webhookLanes,
  webhookLog,
  webhookReaders,
  webhookSequences,
} from './webhooks.state.ts';

type Progressed = z.infer<(typeof PartitionActor.progressed)['body']>;

/** Where a log of lanes is kept. */
interface LogState {
  readonly log: Keyspace<[number], { readonly at: number }>;
  /** The same entries, without decoding values. */
  readonly sequences: Keyspace<[number], true>;
  readonly lanes: typeof laneStates;
  readonly readers: typeof deliveryReaders;
  readonly ageMilliseconds: number;
}

const deliveries: LogState = {
  log: deliveryLog,
  sequences: deliverySequences,
  lanes: laneStates,
  readers: deliveryReaders,
  ageMilliseconds: deliveryAgeMilliseconds,
};

const pushes: LogState = {
  log: pushLog,
  sequences: pushSequences,
  lanes: pushLanes,
  readers: pushReaders,
  ageMilliseconds: pushAgeMilliseconds,
};

const mails: LogState = {
  log: mailLog,
  sequences: mailSequences,
  lanes: mailLanes,
  readers: mailReaders,
  ageMilliseconds: mailAgeMilliseconds,
};

const webhooks: LogState = {
  log: webhookLog,
  sequences: webhookSequences,
  lanes: webhookLanes,
  readers: webhookReaders,
  ageMilliseconds: webhookAgeMilliseconds,
};

const deletesPerTurn = 500;

export function progressed(turn: Turn<bigint>, body: Progressed): { more: boolean } {
  return store(turn, deliveries, body);
}

export function pushesProgressed(turn: Turn<bigint>, body: Progressed): { more: boolean } {
  return store(turn, pushes, body);
}

export function mailsProgressed(turn: Turn<bigint>, body: Progressed): { more: boolean } {
  return store(turn, mails, body);
}

export function webhooksProgressed(turn: Turn<bigint>, body: Progressed): { more: boolean } {
  return store(turn, webhooks, body);
}

function store(turn: Turn<bigint>, state: LogState, { reader, readers, lanes, floor }: Progressed): { more: boolean } {
  for (const { host, ...lane } of lanes) turn.put(state.lanes, [host], lane);
  // Not read before: what stood there may be damaged.
  turn.put(state.readers, [reader], { readers, floor });
  return { more: trim(turn, state, commonFloor(turn, state, readers)) };
}

/** A thread that has not reported since the number of threads changed may need everything. */
function commonFloor(turn: Turn<bigint>, state: LogState, readers: number): number {
  let floor = Number.POSITIVE_INFINITY;
  for (let reader = 0; reader < readers; reader += 1) {
    const known = turn.get(state.readers, [reader]);
    if (known === undefined || known.readers !== readers) return 0;
    floor = Math.min(floor, known.floor);
  }
  return floor;
}

function trim(turn: Turn<bigint>, state: LogState, floor: number): boolean {
  let deleted = 0;
  for (const { key } of turn.range(state.sequences, [], { limit: deletesPerTurn })) {
    if (key[0] >= floor && isRecent(turn, state, key)) return false;
    turn.delete(state.log, key);
    deleted += 1;
  }
  return deleted === deletesPerTurn;
}

/** Read only where some lane may need it: one that is damaged is deleted when all lanes have passed it. */
function isRecent(turn: Turn<bigint>, { log, ageMilliseconds }: LogState, key: [number]): boolean {
  const entry = turn.get(log, key);
  return entry !== undefined && entry.at + ageMilliseconds >= turn.now;
}

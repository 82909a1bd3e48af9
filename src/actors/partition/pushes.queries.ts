/** Reads for the lanes of push services. `partition` is the reader of one partition. */
import type { Reader } from '../../runtime/storage/reader.ts';
import type { LaneState } from './partition.records.ts';
import { type Push, pushAgeMilliseconds, pushLanes, pushLog } from './pushes.state.ts';

export interface LoggedPush extends Push {
  readonly sequence: number;
  /** A date: it is not sent later. */
  readonly expiresAt: number;
}

function logged(sequence: number, push: Push): LoggedPush {
  return { ...push, sequence, expiresAt: push.at + pushAgeMilliseconds };
}

/** The next messages after a sequence, oldest first. */
export function pushesAfter(partition: Reader, sequence: number, limit: number): LoggedPush[] {
  const pushes: LoggedPush[] = [];
  // Counted here: a limit of the range would count damaged entries, which it leaves out.
  for (const { key, value } of partition.range(pushLog, [], { from: sequence + 1 })) {
    pushes.push(logged(key[0], value));
    if (pushes.length === limit) break;
  }
  return pushes;
}

/** Undefined when it was sent, is too old, or had to make room. */
export function findPush(partition: Reader, sequence: number): LoggedPush | undefined {
  const push = partition.get(pushLog, [sequence]);
  return push && logged(sequence, push);
}

/** The sequence of the newest message still stored; 0 for none. */
export function newestPush(partition: Reader): number {
  for (const { key } of partition.range(pushLog, [], { reverse: true })) return key[0];
  return 0;
}

export function findPushLane(partition: Reader, host: number): LaneState | undefined {
  return partition.get(pushLanes, [host]);
}

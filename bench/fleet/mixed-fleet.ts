/** The fleet of which half goes bad, as scenarios use it. */

import { addressOf } from '../load/remote/addresses.ts';
import { openChild } from '../processes/child.ts';
import { quiet } from './fleet.ts';
import type { MixedReceipts } from './mixed-origins.ts';

export interface MixedFleet {
  /** Servers that stay healthy. */
  readonly healthy: number;
  begin(): Promise<void>;
  /** Makes every second server bad, for good. */
  spoil(): Promise<void>;
  /** When the healthy servers have so many posts since `begin`. Throws after a deadline. */
  arrived(count: number): Promise<MixedReceipts>;
  /** As that of a healthy fleet. */
  quiet(expected: number, forMilliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const deadlineMilliseconds = 90_000;

/** Listens on one port of the first `servers` addresses. */
export async function openMixedFleet(servers: number, port: number): Promise<MixedFleet> {
  const child = openChild(new URL('./mixed-origins.ts', import.meta.url));
  await child.ask('listen', { addresses: Array.from({ length: servers }, (_, number) => addressOf(number)), port });
  return {
    healthy: Math.ceil(servers / 2),
    begin: () => child.ask('begin'),
    spoil: () => child.ask('spoil'),
    arrived: (count) => child.ask('arrived', { count, deadlineMilliseconds }),
    quiet: (expected, forMilliseconds) => quiet(child, expected, forMilliseconds),
    stop: () => child.stop(),
  };
}

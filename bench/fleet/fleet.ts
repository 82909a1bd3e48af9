/** The fleet of healthy servers, as scenarios use it. */

import { addressOf } from '../load/remote/addresses.ts';
import { type Child, openChild } from '../processes/child.ts';
import type { Arrivals, KeptDelivery } from './healthy-origins.ts';

export interface Fleet {
  readonly processId: number;
  begin(): Promise<void>;
  arrived(count: number): Promise<Arrivals>;
  /** The next delivery that arrives, whole. */
  keepOne(): Promise<() => Promise<KeptDelivery>>;
  /** Settles when as many deliveries have arrived as are expected, and then none for so long. Throws after a deadline. */
  quiet(expected: number, forMilliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

const deadlineMilliseconds = 60_000;

/** Listens on one port of the first `servers` addresses. */
export async function openFleet(servers: number, port: number, core?: number): Promise<Fleet> {
  const child = openChild(new URL('./healthy-origins.ts', import.meta.url), { core });
  const addresses = Array.from({ length: servers }, (_, number) => addressOf(number));
  await child.ask('listen', { addresses, port });
  return {
    processId: child.processId,
    begin: () => child.ask('begin'),
    arrived: (count) => child.ask('arrived', { count, deadlineMilliseconds }),
    async keepOne() {
      await child.ask('keep');
      return () => child.ask('kept');
    },
    quiet: (expected, forMilliseconds) => quiet(child, expected, forMilliseconds),
    stop: () => child.stop(),
  };
}

/** As `Fleet.quiet`, of any child that serves a `count` of what has arrived. */
export async function quiet(child: Child, expected: number, forMilliseconds: number): Promise<void> {
  const deadline = performance.now() + deadlineMilliseconds;
  for (let before = -1, count = 0; count < expected || count !== before; ) {
    if (performance.now() > deadline) throw new Error(`${count} of ${expected} deliveries arrived after the start`);
    before = count;
    await new Promise((resolve) => setTimeout(resolve, forMilliseconds));
    count = await child.ask<number>('count');
  }
}

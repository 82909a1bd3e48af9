/** Commands during which no node serves. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Lease, takeLease } from '../../runtime/cluster/lease.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { FolderManifest } from '../folder/manifest.ts';
import { refuseServing } from './member.ts';
import type { Register } from './register.ts';

/** Holds the lease until it is given back. Rejects with an Error whose message is a sentence where a node serves. */
export async function takeAlone(register: Register, { session }: FolderManifest, address: string): Promise<Lease> {
  const lease = await takeLease({
    ...{ store: register.lease, former: session, clock: systemClock },
    holder: { session: randomUUID(), address },
    pause: (milliseconds) => setTimeout(milliseconds),
    waiting: refuseServing((serving) => `A node of the cluster serves ${serving}: stop it first.`),
  });
  void lease.keep();
  return lease;
}

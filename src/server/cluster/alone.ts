/** Commands during which no node serves. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { takeLease } from '../../runtime/cluster/lease.ts';
import { systemClock } from '../../runtime/threads/clock.ts';
import type { FolderManifest } from '../folder/manifest.ts';
import { refuseServing } from './member.ts';
import type { Register } from './register.ts';

export interface Alone {
  /** With which the lease was taken. */
  readonly revision: number;
  /** Before each change. Throws an Error with a sentence where the lease is lost: another node may serve, or command work. */
  assertHeld(): void;
  giveBack(): Promise<void>;
}

/** Holds the lease until it is given back. Rejects with an Error whose message is a sentence where a node serves. */
export async function takeAlone(
  register: Pick<Register, 'lease'>,
  { session }: Pick<FolderManifest, 'session'>,
  address: string,
): Promise<Alone> {
  const lease = await takeLease({
    ...{ store: register.lease, former: session, clock: systemClock },
    holder: { session: randomUUID(), address },
    pause: (milliseconds) => setTimeout(milliseconds),
    waiting: refuseServing((serving) => `A node of the cluster serves ${serving}: stop it first.`),
  });
  let isLost = false;
  void lease.keep().then((lost) => {
    isLost = lost;
  });
  return {
    revision: lease.revision,
    assertHeld() {
      if (isLost || !lease.isHeld)
        throw new Error(
          'This command lost the lease of the cluster, since the NATS servers did not answer: another node may serve. It has stopped; run it again.',
        );
    },
    giveBack: () => lease.giveBack(),
  };
}

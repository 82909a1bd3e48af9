/** Tells partitions where mail goes, where they do not know it: turns know no options. */
import { mailRouteOf } from '../../actors/partition/mails.queries.ts';
import { PartitionActor } from '../../actors/partition/partition.messages.ts';
import { isTemporary } from '../../runtime/errors.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { LanePorts } from '../lanes/ports.ts';
import { mailLimits } from './limits.ts';

export interface RouteServices {
  readonly snapshots: Pick<Snapshots, 'partitions'>;
  readonly client: Pick<Client, 'call'>;
  readonly ports: Pick<LanePorts, 'schedule' | 'report'>;
}

/** Goes on until all of them know; `stop` ends it. Most starts tell nothing. */
export function tellRoute(services: RouteServices, isSmtp: boolean): { stop(): void } {
  const telling = services.snapshots.partitions.map((_, partition) => new Telling(services, partition, isSmtp));
  for (const one of telling) void one.tell();
  return {
    stop() {
      for (const one of telling) one.stop();
    },
  };
}

class Telling {
  private readonly services: RouteServices;
  private readonly partition: number;
  private readonly isSmtp: boolean;
  private cancel: (() => void) | undefined;
  private isOver = false;

  constructor(services: RouteServices, partition: number, isSmtp: boolean) {
    this.services = services;
    this.partition = partition;
    this.isSmtp = isSmtp;
  }

  async tell(): Promise<void> {
    const { snapshots, client, ports } = this.services;
    const { partition, isSmtp } = this;
    try {
      if (mailRouteOf(snapshots.partitions[partition]!)?.isSmtp === isSmtp) return;
      await client.call(PartitionActor.mailRouted.to(BigInt(partition), { isSmtp }), 'system');
    } catch (error) {
      const level = isTemporary(error) ? 'warn' : 'error';
      ports.report({ level, message: `partition ${partition} could not be told where mail goes`, error });
      if (!this.isOver) this.cancel = ports.schedule(mailLimits.toldAgainMilliseconds, () => void this.tell());
    }
  }

  stop(): void {
    this.isOver = true;
    this.cancel?.();
  }
}

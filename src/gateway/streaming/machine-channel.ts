/**
 * The channel of the machine: what the machine does, once a second, for those who may operate it. No log has it, so its
 * frames have no ids and nothing is replayed; what a slow client has no room for is left out.
 */
import { holdsPermission } from '../../operations/permissions.ts';
import { unlimited } from '../../operations/rate-limits.ts';
import type { Id } from '../../runtime/ids.ts';
import { adminMachineEntity } from '../entities/admin/machine.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Machine } from '../operator/machine/machine.ts';
import type { MachineView } from '../operator/machine/machine-view.ts';
import type { ChannelKind } from './channels.ts';
import { StreamFrame } from './frame.ts';
import { Payload } from './payloads.ts';
import type { Subscriber } from './subscriber.ts';

export type WatchedMachine = Pick<Machine, 'views' | 'watch'>;

/** Whether staff may open the channel: those of everybody have no permission. */
export function mayOpen(
  { permission }: Pick<ChannelKind, 'permission'>,
  accountId: Id,
  services: Pick<GatewayServices, 'snapshots'>,
): boolean {
  return (
    permission === undefined || holdsPermission(permission, { kind: 'account', accountId, limits: unlimited }, services)
  );
}

export class MachineChannel {
  private readonly machine: WatchedMachine | undefined;
  private readonly services: Pick<GatewayServices, 'snapshots' | 'report'>;
  private readonly subscribers = new Set<Subscriber>();
  private end: (() => void) | undefined = undefined;

  constructor(machine: WatchedMachine | undefined, services: Pick<GatewayServices, 'snapshots' | 'report'>) {
    this.machine = machine;
    this.services = services;
  }

  /** Does nothing for other channels. */
  join(subscriber: Subscriber): void {
    if (subscriber.channel.kind.audience !== 'machine' || this.machine === undefined) return;
    this.subscribers.add(subscriber);
    this.end ??= this.machine.watch((views) => this.send(views, this.subscribers));
    void this.greet(subscriber, this.machine);
  }

  leave(subscriber: Subscriber): void {
    if (!this.subscribers.delete(subscriber) || this.subscribers.size > 0) return;
    this.end?.();
    this.end = undefined;
  }

  /** What is known at once, because rates take a second more. */
  private async greet(subscriber: Subscriber, machine: WatchedMachine): Promise<void> {
    try {
      const views = await machine.views();
      if (this.subscribers.has(subscriber)) this.send(views, [subscriber]);
    } catch (error) {
      this.services.report({ level: 'warn', message: 'the state of the machine could not be read', error });
    }
  }

  private send(views: readonly MachineView[], to: Iterable<Subscriber>): void {
    const view = views.at(-1);
    if (view === undefined) return;
    const frame = new StreamFrame('machine', new Payload(JSON.stringify(adminMachineEntity(view))), undefined);
    for (const subscriber of [...to]) {
      const { connection, channel } = subscriber;
      if (!mayOpen(channel.kind, connection.grant.accountId, this.services)) connection.close('revoked');
      else if (connection.canTakeMore?.() !== false) connection.deliver(subscriber, frame);
    }
  }
}

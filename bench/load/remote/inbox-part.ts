/** Loads the inbox: people of many servers mention somebody, in signed activities at a rate. */

import { markerOf } from '../marker.ts';
import type { Part, PartContext, RunTimes } from '../part.ts';
import { arrivalsBetween, arrive } from '../run/arrivals.ts';
import { createOf } from './documents.ts';
import { Fleet, type RemoteActor } from './fleet.ts';
import type { InboxSettings } from './settings.ts';

export class InboxPart implements Part {
  private readonly settings: InboxSettings;
  private readonly context: PartContext;
  private readonly fleet: Fleet;
  private recipient: RemoteActor | undefined;

  constructor(settings: InboxSettings, context: PartContext) {
    const { senders, port, keys, keyType, dialect, connections, timeoutSeconds } = settings;
    this.settings = settings;
    this.context = context;
    this.fleet = new Fleet({
      context,
      servers: senders,
      port,
      keys,
      keyType,
      dialect,
      connections,
      timeoutSeconds,
      delivered: () => undefined,
    });
  }

  async open(): Promise<void> {
    await this.fleet.open();
    const { to } = this.settings;
    this.recipient = await (to === undefined
      ? this.fleet.actorOfToken(this.context.target.tokens[0])
      : this.fleet.actor(to));
  }

  async run(times: RunTimes): Promise<void> {
    const { rate, senders } = this.settings;
    const { inboxPath, uri, username, url } = this.recipient!;
    const underWay: Promise<unknown>[] = [];
    await arrive({ ...times, rate }, (dueAt, number) => {
      const server = number % senders;
      const marker = markerOf(this.context.nextNumber());
      const { body } = createOf(this.fleet.servers.person(server), marker, [{ uri, username, url }]);
      underWay.push(this.fleet.send({ name: 'activity', server, by: 'person', path: inboxPath, body, dueAt }));
    });
    await Promise.all(underWay);
  }

  facts(seconds: number) {
    return {
      activitiesAsked: Math.round(arrivalsBetween(this.settings.rate, 0, seconds)),
      // Of the whole run, its warm-up included.
      servers: this.fleet.servers.counted,
    };
  }

  warnings(): readonly string[] {
    return [];
  }

  close(): Promise<void> {
    return this.fleet.close();
  }
}

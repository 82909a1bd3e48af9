/** Open pages with a live stream over memory partitions, and what each receives. */
import { expect, onTestFinished, vi } from 'vitest';
import { liveRoute } from '../../../src/gateway/pages/live/live.ts';
import type { Channel } from '../../../src/gateway/streaming/channels.ts';
import { StreamFrame } from '../../../src/gateway/streaming/frame.ts';
import type { StreamHub } from '../../../src/gateway/streaming/hub.ts';
import { Payload } from '../../../src/gateway/streaming/payloads.ts';
import type { Connection, Subscriber } from '../../../src/gateway/streaming/subscriber.ts';
import { only } from '../../support/only.ts';
import { until } from '../../support/until.ts';
import { type Person, Site } from './site.ts';

/** Stands for the hub of streams: it only remembers who listens, and to which channels. */
class ListeningHub {
  readonly connections: Connection[] = [];
  private readonly subscribers = new Set<Subscriber>();

  get asHub(): StreamHub {
    return only<StreamHub>('hub of streams', this);
  }

  admit(): undefined {
    return undefined;
  }

  connected(connection: Connection): void {
    this.connections.push(connection);
  }

  disconnected(connection: Connection): void {
    this.connections.splice(this.connections.indexOf(connection), 1);
  }

  subscribe(connection: Connection, channel: Channel): Subscriber {
    const subscriber = { connection, channel } as Subscriber;
    this.subscribers.add(subscriber);
    return subscriber;
  }

  unsubscribe(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
  }

  publish(event: string, payload: string, statusId?: bigint, channelName = 'user'): void {
    const frame = new StreamFrame(event, new Payload(payload), { own: '0.0.0', merged: '0.0.0' }, statusId);
    for (const subscriber of [...this.subscribers])
      if (subscriber.channel.kind.name === channelName) subscriber.connection.deliver(subscriber, frame);
  }
}

interface Event {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** A page that listens, and all that it heard. */
export class Listener {
  readonly events: Event[] = [];
  ended = false;
  private readonly leaving = new AbortController();

  async open(site: Site, person: Person, path = '/web/live', headers: Record<string, string> = {}): Promise<void> {
    onTestFinished(() => this.leaving.abort());
    const response = await site.gateway.fetch(path, {
      headers: { cookie: person.cookie, ...headers },
      signal: this.leaving.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    this.read(response).catch((error: unknown) => {
      if (!this.leaving.signal.aborted) throw error;
    });
  }

  private async read(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) if (!block.startsWith(':')) this.events.push(eventOf(block));
    }
    this.ended = true;
  }

  /** All that are meant, once there are so many. */
  async heard(count: number, isMeant: (event: Event) => boolean = () => true): Promise<Event[]> {
    const meant = () => this.events.filter(isMeant);
    await until(() => meant().length >= count, { description: `${count} events` });
    return meant();
  }
}

function eventOf(block: string): Event {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)!.slice(1) as [string, string]);
  const value = (name: string) => lines.filter(([key]) => key === name).map(([, text]) => text);
  return { event: value('event')[0]!, id: value('id')[0], data: value('data').join('\n') };
}

/** Pages compare their list with what they were sent when the test lets time pass, however long it takes. */
export function openSite(options: ConstructorParameters<typeof Site>[1] = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const hub = new ListeningHub();
  return { hub, site: new Site([liveRoute(() => hub.asHub)], options) };
}

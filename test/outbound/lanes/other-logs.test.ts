/** Lanes over logs of something else than activities: nothing but the port *what is sent* is theirs. */
import { describe, expect, it } from 'vitest';
import type { LaneProgress } from '../../../src/actors/partition/partition.records.ts';
import type { DeliveryResult } from '../../../src/outbound/fetcher/deliver.ts';
import { outcomeOfResponse } from '../../../src/outbound/lanes/http-outcome.ts';
import { Lanes } from '../../../src/outbound/lanes/lanes.ts';
import { laneLimits } from '../../../src/outbound/lanes/limits.ts';
import type { DeliveryLog, LogEntry, LogProgress } from '../../../src/outbound/lanes/log.ts';
import type { Outcome } from '../../../src/outbound/lanes/outcome.ts';
import { evenPlacement } from '../../../src/runtime/placement.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { SimulatedTime } from './simulated-time.ts';

const minute = 60_000;
/** No other event has it. */
const appendedEvent = 1_000_000;

interface Message {
  /** Host by host, the targets there. */
  readonly to: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

interface Sent {
  readonly at: number;
  readonly target: string;
  readonly body: string;
}

/** Hosts are numbered in the order in which they are first written to. */
class MemoryLog implements DeliveryLog {
  readonly messages: Message[] = [];
  readonly hosts: string[] = [];
  readonly lanes = new Map<number, LaneProgress>();
  floor = 0;
  private readonly send: (target: string, body: string) => Promise<Outcome>;

  constructor(send: (target: string, body: string) => Promise<Outcome>) {
    this.send = send;
  }

  append(message: Message): void {
    this.messages.push(message);
    for (const host of Object.keys(message.to)) if (!this.hosts.includes(host)) this.hosts.push(host);
  }

  newest = () => this.messages.length;
  hostOf = (number: number) => this.hosts[number];
  numberOf = (host: string) => (this.hosts.includes(host) ? this.hosts.indexOf(host) : undefined);
  laneState = (number: number) => this.lanes.get(number);

  entriesAfter(sequence: number, limit: number) {
    return this.messages.slice(sequence, sequence + limit).map((message, index) => ({
      entry: this.entryOf(sequence + index + 1, message),
      visitHosts: (visit: (number: number) => void) => {
        for (const host of Object.keys(message.to)) visit(this.hosts.indexOf(host));
        return Object.keys(message.to).length;
      },
    }));
  }

  find(sequence: number): LogEntry | undefined {
    const message = this.messages[sequence - 1];
    return message && this.entryOf(sequence, message);
  }

  async store({ lanes, floor }: LogProgress) {
    for (const lane of lanes) this.lanes.set(lane.host, lane);
    this.floor = floor;
    return { more: false };
  }

  private entryOf(sequence: number, { to, text }: Message): LogEntry {
    return {
      sequence,
      bytes: text.length,
      orderKey: BigInt(sequence),
      isFirstOfOrder: true,
      expiresAt: Number.POSITIVE_INFINITY,
      urgentAt: [],
      previous: 0,
      supersedes: () => undefined,
      targetsAt: (host) => to[this.hosts[host]!] ?? [],
      prepare: () => ({
        requestTo: async (target) => () => this.send(target, `${text} for ${target}`),
      }),
    };
  }
}

/** Starts lanes over an empty log. `answer` says how a target answers. */
async function startLanes(answer: (target: string, at: number) => Outcome) {
  const sent: Sent[] = [];
  let now = 1_000_000;
  const time = new SimulatedTime({
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  });
  const events = new EventHub();
  const log = new MemoryLog(async (target, body) => {
    sent.push({ at: now, target, body });
    return answer(target, now);
  });
  const lanes = new Lanes({
    logs: [log],
    events,
    appendedEvent,
    placement: evenPlacement(1),
    index: 0,
    entryBytesMax: 1_000_000,
    queueBytesMax: 1_000_000,
    ports: {
      now: () => now,
      monotonic: () => now,
      random: () => time.random(),
      defer: (callback) => time.defer(callback),
      schedule: (milliseconds, callback) => time.schedule(milliseconds, callback),
      attempted: () => undefined,
      waitShortened: () => undefined,
      report: ({ message }) => {
        throw new Error(message);
      },
    },
  });
  lanes.start();
  await time.settle();
  const send = (...messages: Message[]) => {
    for (const message of messages) log.append(message);
    events.dispatch({ partition: 0, commit: 0, events: [{ event: appendedEvent, body: undefined }] }, []);
  };
  return { log, lanes, time, sent, send, start: now };
}

const answered = (status: number, retryAfterMilliseconds?: number): DeliveryResult => ({
  ok: true,
  status,
  retryAfterMilliseconds,
});

describe('notifications to subscriptions at push services', () => {
  const to = (...targets: string[]) => ({ 'push.example': targets });

  it('have a body for each subscription, and a subscription that is refused is removed, once', async () => {
    const removed: string[] = [];
    const { sent, send, time, lanes, log } = await startLanes((target) => {
      const result = answered(target === 'ended' ? 404 : 201);
      if (result.ok && result.status === 404) removed.push(target);
      return outcomeOfResponse(result);
    });
    send({ to: to('one', 'ended', 'two'), text: 'hello' });
    await time.advance(minute);
    expect(sent.map(({ body }) => body).sort()).toEqual(['hello for ended', 'hello for one', 'hello for two']);
    expect(removed).toEqual(['ended']);
    expect(lanes.laneReport()).toMatchObject([{ host: 'push.example', state: 'healthy', pending: 0 }]);
    expect(log.floor).toBe(2);
  });

  it('wait as long as the push service asks for', async () => {
    let asks = 0;
    const { sent, send, time, start } = await startLanes(() => {
      asks += 1;
      return outcomeOfResponse(asks === 1 ? answered(429, 5 * minute) : answered(201));
    });
    send({ to: to('one'), text: 'hello' });
    await time.advance(10 * minute);
    expect(sent.map(({ at }) => at - start)).toEqual([0, 5 * minute]);
  });
});

describe('mail', () => {
  it('has a lane for each recipient, which waits for a bound of the sender without counting as failing', async () => {
    let isAllowed = false;
    const { sent, send, time, lanes } = await startLanes(() =>
      isAllowed ? { verdict: 'delivered', status: 250 } : { verdict: 'postponed', status: undefined },
    );
    send({ to: { 'alice@mail.example': ['alice@mail.example'] }, text: 'welcome' });
    await time.advance(minute);
    expect(lanes.laneReport()).toMatchObject([{ state: 'healthy', failures: 0, pending: 1 }]);
    isAllowed = true;
    await time.advance(minute);
    expect(lanes.laneReport()).toMatchObject([{ state: 'healthy', pending: 0 }]);
    expect(sent.length).toBeGreaterThan(1);
  });
});

describe('what a relay passes on', () => {
  it('has a cursor for each receiver, and one that fails keeps nobody waiting', async () => {
    const { log, send, time, sent } = await startLanes((target) =>
      target === 'down'
        ? { verdict: 'failed', status: undefined, isPerhapsTheEntry: false }
        : { verdict: 'delivered', status: 202 },
    );
    const to = { 'up.example': ['up'], 'down.example': ['down'] };
    send({ to, text: 'a' }, { to, text: 'b' }, { to, text: 'c' });
    await time.advance(1_000);
    expect(sent.filter(({ target }) => target === 'up').map(({ body }) => body)).toEqual([
      'a for up',
      'b for up',
      'c for up',
    ]);
    expect([...log.lanes.values()].map(({ host, cursor, failures }) => [log.hosts[host], cursor, failures])).toEqual(
      expect.arrayContaining([
        ['up.example', 3, 0],
        ['down.example', 0, 1],
      ]),
    );
    expect(log.floor).toBe(1);
  });
});

it('holds up no stop where its log does not take what is left', async () => {
  const { log, send, time, lanes } = await startLanes(() => ({ verdict: 'delivered', status: 202 }));
  log.store = () => new Promise(() => undefined);
  send({ to: { 'up.example': ['up'] }, text: 'a' });
  await time.advance(1_000);
  let isStopped = false;
  void lanes.stop().then(() => (isStopped = true));
  await time.advance(laneLimits.progressStopMilliseconds / 2);
  expect(isStopped).toBe(false);
  await time.advance(laneLimits.progressStopMilliseconds);
  expect(isStopped).toBe(true);
});

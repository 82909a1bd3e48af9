/**
 * The spans of one thread: written as OTLP wants them (the JSON mapping of protobuf: ids in hexadecimal digits, numbers of
 * 64 bits as text), and handed to the main thread in batches, which passes them on unread.
 */
import type { Clock } from '../ports.ts';
import { contextOfCause, newSpanId } from './cause.ts';
import type { SpanAttributes, SpanOfStep } from './trace.ts';

export interface SpanBatch {
  readonly spans: number;
  /** Objects with commas between them. */
  readonly json: string;
}

export interface SpanRecorderOptions {
  /** Its title. */
  readonly thread: string;
  readonly clock: Clock;
  send(batch: SpanBatch): void;
}

export const batchSpansMax = 100;
const batchMilliseconds = 1_000;
/** By how much the wall clock may differ from what it was when the thread started. */
const clockSetMilliseconds = 5;

const kinds = { internal: 1, server: 2, client: 3 } as const;
const failedStatus = ',"status":{"code":2}';

export class SpanRecorder {
  private readonly options: SpanRecorderOptions;
  /** The attribute that all have. */
  private readonly ofThread: string;
  /** JSON, written by hand: objects and JSON.stringify cost half as much again. */
  private readonly spans: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Of the wall clock before the monotonic clock. */
  private ahead: number;

  constructor(options: SpanRecorderOptions) {
    this.options = options;
    this.ofThread = attribute('thread.name', options.thread);
    this.ahead = this.aheadNow();
  }

  /** A step has ended. Nothing where its request has no spans. */
  ended(cause: string, { name, kind, beganAt, own, parent, attributes = {} }: SpanOfStep): void {
    const context = contextOfCause(cause);
    if (context === undefined) return;
    const isRequest = kind === 'server';
    const spanId = isRequest ? context.spanId : own === undefined ? newSpanId() : contextOfCause(own)!.spanId;
    const above = isRequest ? parent : context.spanId;
    const ids = `"traceId":"${context.traceId}","spanId":"${spanId}"${above === undefined ? '' : `,"parentSpanId":"${above}"`}`;
    const endedAt = this.options.clock.monotonic();
    const times = `"startTimeUnixNano":"${this.nanoseconds(beganAt)}","endTimeUnixNano":"${this.nanoseconds(endedAt)}"`;
    const status = attributes['error.type'] === undefined ? '' : failedStatus;
    const more = `"attributes":[${this.ofThread}${written(attributes)}]${status}`;
    this.spans.push(`{${ids},"name":${JSON.stringify(name)},"kind":${kinds[kind]},${times},${more}}`);
    if (this.spans.length >= batchSpansMax) this.flush();
    else if (this.timer === undefined) this.timer = setTimeout(() => this.flush(), batchMilliseconds).unref();
  }

  /** What is left, before the thread ends. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { spans } = this;
    if (spans.length === 0) return;
    this.options.send({ spans: spans.length, json: spans.join(',') });
    spans.length = 0;
    this.ahead = this.aheadNow();
  }

  /** As text, to the microsecond: more digits than a number has. */
  private nanoseconds(monotonic: number): string {
    return `${Math.round((monotonic + this.ahead) * 1_000)}000`;
  }

  /** The wall clock counts whole milliseconds: the time at which the thread started is finer. */
  private aheadNow(): number {
    const { clock } = this.options;
    const monotonic = clock.monotonic();
    const fine = performance.timeOrigin + performance.now();
    const now = clock.now();
    return (Math.abs(fine - now) < clockSetMilliseconds ? fine : now) - monotonic;
  }
}

function written(attributes: SpanAttributes): string {
  let list = '';
  for (const key of Object.keys(attributes) as (keyof SpanAttributes)[]) {
    const value = attributes[key];
    if (value !== undefined) list += `,${attribute(key, value)}`;
  }
  return list;
}

function attribute(key: keyof SpanAttributes | 'thread.name', value: string | number): string {
  const json = typeof value === 'number' ? `"intValue":"${value}"` : `"stringValue":${JSON.stringify(value)}`;
  return `{"key":"${key}","value":{${json}}}`;
}

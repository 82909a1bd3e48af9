/**
 * Sends spans to the collector: those of all threads, in requests of some hundreds. Nothing waits for that, and nothing is
 * kept for it on disk: while the collector is away the newest that have no room are dropped, and counted.
 */
import { counter, gauge } from '../../runtime/metrics/metric.ts';
import type { Counter, Metrics } from '../../runtime/metrics/metrics.ts';
import type { Problem } from '../../runtime/ports.ts';
import type { SpanBatch } from '../../runtime/tracing/span-recorder.ts';

export type ExportAnswer =
  | { readonly kind: 'taken'; readonly rejected: number }
  /** The same request would be refused again. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly seconds?: number | undefined };

export interface SpanExportOptions {
  /** Who sends them: the attributes of the resource. */
  readonly resource: Readonly<Record<string, string>>;
  readonly metrics: Metrics;
  /** Never rejects. */
  post(body: string): Promise<ExportAnswer>;
  report(problem: Problem): void;
  /** For tests, which use shorter times. */
  readonly limits?: Partial<Record<keyof typeof exportLimits, number>>;
}

const exportLimits = {
  /** About 5 MB. */
  spansWaitingMax: 10_000,
  spansPerRequestMax: 512,
  /** Until a request that is not full is sent. */
  pauseMilliseconds: 1_000,
  firstRetryMilliseconds: 1_000,
  retryMillisecondsMax: 60_000,
  /** At the end of the server. */
  lastMilliseconds: 1_000,
} as const;

const spansEnded = counter({
  name: 'trace_spans',
  labels: ['outcome'],
  help: 'Spans of traces: sent to the collector, refused by it, or dropped because too many waited for it',
});
const requestsFailed = counter({
  name: 'trace_requests_failed',
  help: 'Requests to the collector of traces that it did not answer, or not now; their spans are sent again',
});
const spansWaiting = gauge({ name: 'trace_spans_waiting', help: 'Spans that wait for the collector of traces' });

export class SpanExport {
  private readonly options: SpanExportOptions;
  private readonly limits: Readonly<Record<keyof typeof exportLimits, number>>;
  private readonly head: string;
  private readonly batches: SpanBatch[] = [];
  private readonly counted: Readonly<Record<'sent' | 'refused' | 'dropped', Counter>>;
  private readonly failures: Counter;
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private retryMilliseconds = 0;
  private isAway = false;
  private isClosed = false;

  constructor(options: SpanExportOptions) {
    this.options = options;
    this.limits = { ...exportLimits, ...options.limits };
    const { metrics, resource } = options;
    const count = (outcome: string) => metrics.counter(spansEnded, outcome);
    this.counted = { sent: count('sent'), refused: count('refused'), dropped: count('dropped') };
    this.failures = metrics.counter(requestsFailed);
    metrics.sampled(spansWaiting, [], () => this.waiting);
    const attributes = Object.entries(resource).map(([key, value]) => ({ key, value: { stringValue: value } }));
    const scope = { name: resource['service.name'], version: resource['service.version'] };
    this.head = `{"resourceSpans":[{"resource":${JSON.stringify({ attributes })},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
  }

  add(batch: SpanBatch): void {
    if (this.waiting + batch.spans > this.limits.spansWaitingMax) {
      this.counted.dropped.add(batch.spans);
      return;
    }
    this.batches.push(batch);
    this.waiting += batch.spans;
    this.plan();
  }

  /** Sends what is left, for a second at most. What the collector has not taken by then is lost, and nobody hears of it. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    let deadline: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, this.limits.lastMilliseconds);
    });
    await Promise.race([this.sendRest(), late]);
    clearTimeout(deadline);
  }

  private async sendRest(): Promise<void> {
    await this.sending;
    this.retryMilliseconds = 0;
    while (this.waiting > 0 && this.retryMilliseconds === 0) await this.send();
  }

  private plan(): void {
    if (this.sending !== undefined || this.isClosed) return;
    const isFull = this.waiting >= this.limits.spansPerRequestMax;
    if (this.retryMilliseconds === 0 && isFull) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.begin();
    } else this.timer ??= setTimeout(() => this.begin(), this.retryMilliseconds || this.limits.pauseMilliseconds);
  }

  private begin(): void {
    this.timer = undefined;
    this.sending ??= this.send().finally(() => {
      this.sending = undefined;
      if (this.waiting > 0) this.plan();
    });
  }

  private async send(): Promise<void> {
    const batches = this.nextRequest();
    const spans = batches.reduce((sum, batch) => sum + batch.spans, 0);
    const answer = await this.options.post(`${this.head}${batches.map(({ json }) => json).join(',')}]}]}]}`);
    if (answer.kind === 'later') {
      this.failed(answer);
      return;
    }
    this.batches.splice(0, batches.length);
    this.waiting -= spans;
    this.retryMilliseconds = 0;
    const refused = answer.kind === 'refused' ? spans : Math.min(answer.rejected, spans);
    this.counted.refused.add(refused);
    this.counted.sent.add(spans - refused);
    if (answer.kind === 'refused') this.tellAway(answer.reason);
    else this.tellBack();
  }

  /** They stay in the queue until they are answered. */
  private nextRequest(): SpanBatch[] {
    let spans = 0;
    let count = 0;
    for (const batch of this.batches) {
      if (count > 0 && spans + batch.spans > this.limits.spansPerRequestMax) break;
      spans += batch.spans;
      count += 1;
    }
    return this.batches.slice(0, count);
  }

  private failed({ reason, seconds }: Extract<ExportAnswer, { kind: 'later' }>): void {
    const { firstRetryMilliseconds: first, retryMillisecondsMax: max } = this.limits;
    const wanted = seconds === undefined ? this.retryMilliseconds * 2 || first : seconds * 1_000;
    this.retryMilliseconds = Math.min(max, wanted);
    this.failures.add();
    this.tellAway(reason);
  }

  /** Once for each outage. */
  private tellAway(reason: string): void {
    if (this.isAway) return;
    this.isAway = true;
    this.options.report({ level: 'warn', message: `the collector of traces does not take them: ${reason}` });
  }

  private tellBack(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.options.report({ level: 'info', message: 'the collector of traces takes them again' });
  }
}

/** Metrics of requests per endpoint: their number, the status of answers, the time taken. */
import { counter, histogram, secondsBuckets } from '../../runtime/metrics/metric.ts';
import type { Counter, Histogram, Metrics } from '../../runtime/metrics/metrics.ts';
import type { RequestMethod } from './request.ts';

const requestSeconds = histogram({
  name: 'request',
  unit: 'seconds',
  labels: ['method', 'path'],
  help: 'Time from the head of a request to its answer, by declared path',
  buckets: secondsBuckets.filter((seconds) => seconds >= 0.000_25),
});
const requestsAnswered = counter({
  name: 'requests',
  labels: ['method', 'path', 'status'],
  help: 'Requests by declared path and class of status; "left": the client disconnected before its answer',
});

interface Measured {
  readonly seconds: Histogram;
  /** By the first digit of the status; at 0 those whose client left. */
  readonly answers: (Counter | undefined)[];
}

/** For one declared path. */
export class RequestMeter {
  private readonly metrics: Metrics;
  private readonly path: string;
  private readonly methods = new Map<RequestMethod, Measured>();

  constructor(metrics: Metrics, path: string) {
    this.metrics = metrics;
    this.path = path;
  }

  answered(method: RequestMethod, status: number, milliseconds: number): void {
    const measured = this.methods.get(method) ?? this.measure(method);
    measured.seconds.observe(milliseconds / 1_000);
    const statusClass = Math.floor(status / 100);
    const count = measured.answers[statusClass] ?? this.count(measured, method, statusClass);
    count.add();
  }

  /** The client left before its answer. */
  left(method: RequestMethod): void {
    const measured = this.methods.get(method) ?? this.measure(method);
    (measured.answers[0] ?? this.count(measured, method, 0)).add();
  }

  private measure(method: RequestMethod): Measured {
    const measured = { seconds: this.metrics.histogram(requestSeconds, method, this.path), answers: [] };
    this.methods.set(method, measured);
    return measured;
  }

  private count({ answers }: Measured, method: RequestMethod, statusClass: number): Counter {
    const status = statusClass === 0 ? 'left' : `${statusClass}xx`;
    const count = this.metrics.counter(requestsAnswered, method, this.path, status);
    answers[statusClass] = count;
    return count;
  }
}

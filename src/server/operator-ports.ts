/** The ports for the operator's programs: metrics, and health. */
import { AdminAnswer, healthCommand } from '../gateway/operator/admin/requests.ts';
import type { Health } from '../gateway/operator/health/health.ts';
import type { PlainServer } from '../gateway/operator/plain-server.ts';
import type { Options } from '../options/table.ts';
import { readMetrics } from '../runtime/metrics/reading.ts';
import type { Supervisor } from '../runtime/threads/supervisor.ts';
import type { Standby } from './cluster/standby.ts';
import { standbyHealth } from './cluster/standby-port.ts';
import { assertPortFree } from './free-port.ts';

/** Throws an Error whose message is a sentence for the operator. */
export function assertPortsApart({ port, metricsPort, healthPort }: Options): void {
  const holders = new Map([[port, 'the server']]);
  for (const [name, own] of [
    ['metrics', metricsPort],
    ['health checks', healthPort],
  ] as const) {
    if (own === 0) continue;
    const holder = holders.get(own);
    if (holder !== undefined) throw new Error(`The ${name} need a port of their own: ${own} is that of ${holder}.`);
    holders.set(own, `the ${name}`);
  }
}

/** Rejects with an Error whose message is a sentence for the operator. */
export async function assertMetricsPortFree({ metricsHost, metricsPort }: Options): Promise<void> {
  if (metricsPort !== 0) await assertPortFree(metricsHost, metricsPort);
}

type Measured = Pick<Supervisor<unknown>, 'metrics' | 'measuring'>;

export async function openMetrics(
  supervisor: Measured,
  { metricsHost: host, metricsPort: port }: Options,
): Promise<PlainServer> {
  const { expositionOf } = await import('../gateway/operator/metrics/exposition.ts');
  const { serveMetrics } = await import('../gateway/operator/metrics/server.ts');
  return serveMetrics(host, port, () => {
    supervisor.metrics.sample();
    return expositionOf(readMetrics(supervisor.measuring));
  });
}

type WatchedThreads = Pick<Supervisor<unknown>, 'absent' | 'admin'>;

/** Listens from early in the start to the end of the stop: checks are answered all the time, with what is the case. */
export interface HealthPort {
  /** Another node may serve: this one tells how it stands by, until threads are watched. */
  standBy(standby: Standby): void;
  /** From now on what these threads do decides, and whether they may answer. */
  watch(supervisor: WatchedThreads, mayServe: () => boolean): void;
  /** From now on nothing more should be sent here. */
  stopping(): void;
  close(): Promise<void>;
}

/** Undefined where no port is wanted. Rejects with an Error whose message is a sentence for the operator. */
export async function openHealth({ healthHost: host, healthPort: port }: Options): Promise<HealthPort | undefined> {
  if (port === 0) return undefined;
  await assertPortFree(host, port);
  const { servePlain } = await import('../gateway/operator/plain-server.ts');
  const { healthAnswers } = await import('../gateway/operator/health/server.ts');
  let supervisor: WatchedThreads | undefined;
  let standby: Standby | undefined;
  let mayServe = () => true;
  let isStopping = false;
  const answer = healthAnswers({
    reasons() {
      if (isStopping) return ['The server is stopping.'];
      if (standby !== undefined) return [standby.sentence];
      if (supervisor === undefined) return ['The server is starting.'];
      if (!mayServe()) return [noLease];
      return supervisor.absent.map((thread) => `The ${thread} does not answer.`);
    },
    standingBy: () => (isStopping || standby === undefined ? undefined : standbyHealth(standby)),
    async ask() {
      if (isStopping || supervisor === undefined) throw new Error('No gateway runs.');
      if (!mayServe()) throw new Error(noLease);
      return healthIn(await supervisor.admin({ command: healthCommand, input: {} }));
    },
  });
  const { close } = await servePlain({ host, port, answer });
  return {
    standBy(state) {
      standby = state;
    },
    watch(threads, may) {
      supervisor = threads;
      mayServe = may;
      standby = undefined;
    },
    stopping() {
      isStopping = true;
    },
    close,
  };
}

const noLease = 'The NATS servers do not answer: this node answers nothing until its lease is renewed.';

function healthIn(answer: unknown): Health {
  const answered = AdminAnswer.parse(answer);
  if (!answered.ok) throw new Error(answered.sentence);
  if (answered.health === undefined) throw new Error('The gateway does not say how it is.');
  return answered.health;
}

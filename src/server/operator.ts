/** Answers commands of the operator: the main thread for what concerns threads, a gateway for everything else. */
import { AdminAnswer, AdminRequest, ClockInput, PoisonInput, StatusInput } from '../gateway/operator/admin/requests.ts';
import { summarize, summaryLines } from '../gateway/operator/metrics/summary.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { type MeasuringThread, readMetrics } from '../runtime/metrics/reading.ts';
import { type ClockShift, clockOf, systemClock } from '../runtime/threads/clock.ts';
import { digestCharactersShown, type PoisonList, type PoisonousMessage } from '../runtime/threads/poison.ts';
import type { ServingNode } from './cluster/departure.ts';

/** The part of the supervisor that is needed. */
export interface Operated {
  readonly poison: PoisonList;
  readonly metrics: Metrics;
  readonly measuring: readonly MeasuringThread[];
  admin(request: unknown): Promise<unknown>;
}

interface OperatorOptions {
  /** False for the threads of a single command: their metrics say nothing about the server. */
  readonly serving?: boolean;
  /** Of a server whose clock may be moved. */
  readonly clockShift?: ClockShift | undefined;
  /** Of a node of a cluster. */
  readonly cluster?: ServingNode | undefined;
}

/** Rejects with a sentence when the thread that carries out the request dies over it. */
export function createOperator(
  supervisor: Operated,
  { serving = true, clockShift, cluster }: OperatorOptions = {},
): (request: unknown) => Promise<unknown> {
  const { poison } = supervisor;
  return async (request) => {
    const { data } = AdminRequest.safeParse(request);
    if (data?.command === 'poison list') return { ok: true, lines: await listPoison(poison) };
    if (data?.command === 'poison lift') return liftPoison(poison, data.input);
    if (data?.command === 'clock forward') return forwardClock(clockShift, data.input);
    if (data?.command === 'cluster handover') return (await cluster?.handOver()) ?? onItsOwn;
    if (data?.command === 'cluster leave') return (await cluster?.leave()) ?? onItsOwn;
    if (data?.command === 'status' && serving) {
      const isLive = StatusInput.safeParse(data.input).data?.live === true;
      return withSummary(supervisor, await supervisor.admin(request), isLive);
    }
    return supervisor.admin(request);
  };
}

const onItsOwn: AdminAnswer = { ok: false, sentence: 'This server is on its own: no other node could take over.' };

/** A gateway adds the usage of the server; the metrics of all threads show its state. */
function withSummary(supervisor: Operated, answer: unknown, isLive: boolean): unknown {
  const parsed = AdminAnswer.safeParse(answer);
  if (!parsed.success || !parsed.data.ok) return answer;
  supervisor.metrics.sample();
  const summary = summarize(readMetrics(supervisor.measuring), systemClock.now());
  const { lines } = parsed.data;
  return isLive ? { ok: true, lines, summary } : { ok: true, lines: [...lines, ...summaryLines(summary)] };
}

/** One per line, newest last. */
async function listPoison(poison: PoisonList): Promise<string[]> {
  const list = poison.list();
  if (list.length === 0) return ['There are no poison messages.'];
  // Names of messages belong to the domain, which the main thread does not load otherwise.
  const { actors } = await import('../actors/catalogue.ts');
  return list.map(({ digest, kind, message, key, reason, at }: PoisonousMessage) => {
    const actor = actors.find((candidate) => candidate.kind === kind);
    const name = `${actor?.kindName ?? kind}.${actor?.handlers.get(message)?.name ?? message}`;
    const why = reason === 'died' ? 'its thread died twice while it ran' : 'it ran for too long';
    const place = `${name} to ${key.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')}`;
    return `${digest.slice(0, digestCharactersShown)}  ${new Date(at).toISOString()}  ${place}: ${why}`;
  });
}

function liftPoison(poison: PoisonList, input: unknown): AdminAnswer {
  const { data } = PoisonInput.safeParse(input);
  if (data === undefined) return { ok: false, sentence: 'That is not the ID of a poison message.' };
  const { named } = data;
  const lifted = poison.lift(named === 'all' ? '' : named);
  if (lifted === 0 && named !== 'all') return { ok: false, sentence: `There is no poison message ${named}.` };
  return {
    ok: true,
    lines: [`Lifted: ${lifted}`, 'Their dead letters can be retried: murmuration dead-letters retry.'],
  };
}

/** Timers that are due then run within a second: owners see that the clock was set. */
function forwardClock(shift: ClockShift | undefined, input: unknown): AdminAnswer {
  const { data } = ClockInput.safeParse(input);
  if (data === undefined) return { ok: false, sentence: 'That is not a number of seconds.' };
  if (shift === undefined)
    return { ok: false, sentence: 'This server goes by the clock of the machine: start it with MURMURATION_CLOCK.' };
  shift[0]! += data.seconds;
  return { ok: true, lines: [`It is ${new Date(clockOf(shift).now()).toISOString()} on this server.`] };
}

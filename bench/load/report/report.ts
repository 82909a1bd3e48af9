/** What a run has found: the object that is printed as one line of JSON, and that the HTML page shows. */
import { machine } from '../../measure/samples.ts';
import type { Part } from '../part.ts';
import type { Latencies, RecordedSeries, Recorder } from '../run/recorder.ts';
import type { Usage, UsageMeter, UsagePoint } from '../run/usage.ts';
import type { Scenario } from '../scenario/scenario.ts';

/** Above this share of a core the tool itself may be what a run measures. */
const busyShareMax = 0.8;
const loopDelayMillisecondsMax = 25;
const stuckMillisecondsMax = 200;
const lateMillisecondsMax = 10;

export interface Report {
  readonly tool: string;
  readonly scenario: string;
  readonly summary: string;
  readonly server: string;
  readonly secondsAsked: number;
  /** Of measured time. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Whether somebody ended it early. */
  readonly interrupted: boolean;
  readonly latencies: Readonly<Record<string, Latencies>>;
  readonly parts: readonly (Readonly<Record<string, unknown>> & { readonly kind: string })[];
  readonly usage: Usage;
  /** The tool was too busy: the figures may be its own. */
  readonly toolWasBottleneck: boolean;
  readonly warnings: readonly string[];
  readonly machine: ReturnType<typeof machine>;
  /** Second by second, and the histogram of each name. */
  readonly series: readonly RecordedSeries[];
  readonly usagePoints: readonly UsagePoint[];
}

export interface ReportInput {
  readonly scenario: Scenario;
  readonly server: string;
  readonly seconds: number;
  readonly interrupted: boolean;
  readonly recorder: Recorder;
  readonly meter: UsageMeter;
  readonly parts: readonly Part[];
}

export function reportOf(input: ReportInput): Report {
  const { scenario, server, recorder, meter, parts, interrupted } = input;
  const seconds = Math.max(input.seconds, 0.001);
  const usage = meter.usage();
  const latencies = Object.fromEntries(recorder.names.map((name) => [name, recorder.latencies(name, seconds)]));
  const bottleneck = bottleneckWarnings(usage, latencies['due to sent']);
  return {
    tool: 'murmuration load',
    scenario: scenario.name,
    summary: scenario.summary,
    server,
    secondsAsked: scenario.seconds,
    seconds: Math.round(seconds * 1_000) / 1_000,
    warmUpSeconds: scenario.warmUpSeconds,
    interrupted,
    latencies,
    parts: parts.map((part, index) => ({
      kind: scenario.parts[index]!.kind,
      settings: scenario.parts[index]!,
      ...part.facts(seconds),
    })),
    usage,
    toolWasBottleneck: bottleneck.length > 0,
    warnings: [...bottleneck, ...errorWarnings(latencies), ...parts.flatMap((part) => part.warnings())],
    machine: machine(),
    series: recorder.recorded(),
    usagePoints: meter.points,
  };
}

function bottleneckWarnings(usage: Usage, late: Latencies | undefined): string[] {
  const { toolBusiest, loopDelayP99Milliseconds, loopDelayMostMilliseconds } = usage;
  const unsent = late !== undefined && late.p99 > lateMillisecondsMax;
  return [
    ...(toolBusiest > busyShareMax
      ? [
          `The load tool used ${(toolBusiest * 100).toFixed(0)} % of a core in its busiest second: latencies may be its own. Lower the rate, or run several.`,
        ]
      : []),
    ...(loopDelayP99Milliseconds > loopDelayMillisecondsMax
      ? [
          `The load tool woke up to ${loopDelayP99Milliseconds.toFixed(0)} ms late (p99): the machine has too few cores for both, or is busy with something else.`,
        ]
      : []),
    ...(loopDelayMostMilliseconds > stuckMillisecondsMax
      ? [
          `The load tool was busy for ${loopDelayMostMilliseconds.toFixed(0)} ms once, as when it opens thousands of streams at a time: what it received meanwhile counts as late. Measure that from a second one.`,
        ]
      : []),
    ...(unsent && toolBusiest > busyShareMax
      ? [`Requests left ${late.p99.toFixed(0)} ms after they were due (p99).`]
      : []),
  ];
}

function errorWarnings(latencies: Readonly<Record<string, Latencies>>): string[] {
  const limited = Object.values(latencies).reduce((sum, { errors }) => sum + (errors['rate limited (429)'] ?? 0), 0);
  return limited === 0
    ? []
    : [
        `${limited} requests were rate limited (429): this measures the limit. Switch rate limits off for the run (MURMURATION_RATE_LIMITS=off), or pass more tokens.`,
      ];
}

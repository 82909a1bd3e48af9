/**
 * `murmuration load http|stream|…` and `murmuration load run SCENARIO`. Standard output gets one line of JSON; what a person
 * reads goes to standard error. Exit codes: 0 done, 1 could not run, 2 not understood, 130 ended early (with its report).
 */
import { writeFileSync } from 'node:fs';
import { LoadFailure } from '../failure.ts';
import { type PartSettings, partKindNames, partKinds } from '../parts.ts';
import { reportPage } from '../report/page.ts';
import { runScenario } from '../run/run.ts';
import { readScenario, resized } from '../scenario/read-scenario.ts';
import { Scenario } from '../scenario/scenario.ts';
import type { Target } from '../target.ts';
import { helpText } from './help.ts';
import { assertMayLoad } from './may-load.ts';
import { parseFlags, RunOptions, readTokens } from './options.ts';
import { progressOn, summaryOf, type Terminal } from './terminal.ts';

export interface LoadEnvironment {
  /** Gets lines of output. */
  readonly print: (line: string) => void;
  readonly terminal: Terminal;
  /** Aborted when the run is to end early. */
  readonly interruption: AbortSignal;
}

/** The exit code. Rejects only for faults of this program. */
export async function runLoadCommand(args: readonly string[], environment: LoadEnvironment): Promise<number> {
  const { print, terminal } = environment;
  const [command, ...rest] = args;
  if (command === undefined || args.some((word) => word === '--help' || word === 'help')) {
    print(helpText(command));
    return command === undefined ? 2 : 0;
  }
  try {
    return await run(planOf(command, rest), environment);
  } catch (error) {
    if (!(error instanceof LoadFailure)) throw error;
    terminal.write(`${error.message}\n${error.advice}.\n`);
    return error.kind === 'usage' || error.kind === 'scenarioInvalid' ? 2 : 1;
  }
}

interface Plan {
  readonly scenario: Scenario;
  readonly options: RunOptions;
}

function planOf(command: string, args: readonly string[]): Plan {
  if (command === 'run') {
    const [name, ...flags] = args;
    if (name === undefined || name.startsWith('-'))
      throw new LoadFailure('usage', 'The name or the file of a scenario comes first: murmuration load run NAME.');
    const options = parseFlags(flags, RunOptions);
    return { scenario: timed(resized(readScenario(name), options.size, options.seconds), options), options };
  }
  const kind = partKindNames.find((known) => known === command);
  if (kind === undefined)
    throw new LoadFailure('usage', `There is no command ${command}; there are ${partKindNames.join(', ')} and run.`);
  const { settings } = partKinds[kind];
  const values = parseFlags(args, RunOptions.extend(settings.shape)) as Record<string, unknown>;
  const part = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, values[name]]));
  const options = RunOptions.parse(
    Object.fromEntries(Object.keys(RunOptions.shape).map((name) => [name, values[name]])),
  );
  const { seconds } = options;
  const scenario = Scenario.parse({ name: kind, seconds, parts: [{ kind, ...part } as PartSettings] });
  return { scenario: timed(resized(scenario, options.size, undefined), options), options };
}

function timed(scenario: Scenario, { warmUpSeconds }: RunOptions): Scenario {
  return warmUpSeconds === undefined ? scenario : { ...scenario, warmUpSeconds };
}

async function run({ scenario, options }: Plan, { print, terminal, interruption }: LoadEnvironment): Promise<number> {
  const address = new URL(options.server);
  await assertMayLoad(address, options.iRunThisServer);
  for (const part of scenario.parts)
    if ('streamingAddress' in part && part.streamingAddress !== undefined)
      await assertMayLoad(new URL(part.streamingAddress), options.iRunThisServer);
  const target: Target = {
    origin: address.origin,
    tokens: readTokens(options),
    headers: options.header === undefined ? {} : headerOf(options.header),
  };
  const progress = progressOn(terminal, scenario.seconds);
  try {
    const report = await runScenario({
      scenario,
      target,
      processId: options.pid,
      progress,
      signal: interruption,
    });
    progress.end();
    if (options.report !== undefined) writeFileSync(options.report, reportPage(report));
    terminal.write(`${summaryOf(report)}\n`);
    print(JSON.stringify(report));
    return report.interrupted ? 130 : 0;
  } finally {
    progress.end();
  }
}

function headerOf(text: string): Record<string, string> {
  const colon = text.indexOf(':');
  return { [text.slice(0, colon).toLowerCase()]: text.slice(colon + 1).trim() };
}

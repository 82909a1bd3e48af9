/** Runs a load command in this process, as the tests of the load tool do. */
import { runLoadCommand } from '../../../bench/load/command/command.ts';
import type { Report } from '../../../bench/load/report/report.ts';

export interface LoadOutcome {
  readonly code: number;
  readonly output: string;
  readonly said: string;
  /** Of the line of JSON; throws where there is none. */
  report(): Report;
}

export async function runLoad(...args: readonly string[]): Promise<LoadOutcome> {
  return runLoadUntil(new AbortController().signal, args);
}

/** `heard` gets what is said while it runs. */
export async function runLoadUntil(
  interruption: AbortSignal,
  args: readonly string[],
  heard: (text: string) => void = () => undefined,
): Promise<LoadOutcome> {
  const lines: string[] = [];
  let said = '';
  const code = await runLoadCommand(args, {
    print: (line) => lines.push(line),
    terminal: {
      write: (text: string) => {
        said += text;
        heard(text);
      },
    },
    interruption,
  });
  const output = lines.join('\n');
  return { code, output, said, report: () => JSON.parse(output) as Report };
}

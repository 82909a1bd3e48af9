/** The main thread: a server, or one command of the operator. Each loads only what it needs. */

import { asksForHelp, doctorWord, isCommand } from '../gateway/operator/cli/is-command.ts';
import { loadOptions, OptionsError } from '../options/load.ts';
import type { Options } from '../options/table.ts';
import { libraryThreads } from '../options/threads.ts';
import { assertHtmlLimits } from '../outbound/remote-html/limits.ts';
import { assertRuntimeLimits } from '../runtime/limits.ts';
import { listenForClosedOutput } from './closed-output.ts';
import type { MainInput } from './main-input.ts';
import { wantedThreads } from './roles.ts';

export async function runMain(input: MainInput): Promise<void> {
  const outputClosed = listenForClosedOutput();
  assertRuntimeLimits();
  assertHtmlLimits();
  const commanded = isCommand(input.programArguments);
  const options = await readOptions(input, commanded);
  if (options === undefined) return;
  // Read when the pool gets its first work; loading modules does not use it.
  process.env.UV_THREADPOOL_SIZE ||= String(libraryThreads(wantedThreads.owner(options, input.cores)));
  if (commanded)
    process.exitCode = await (await import('./command.ts')).runOperatorCommand(input, options, outputClosed);
  else await (await import('./serve.ts')).serve(input, options);
}

async function readOptions(input: MainInput, commanded: boolean): Promise<Options | undefined> {
  const { environment, configurationFolder, programArguments } = input;
  try {
    return loadOptions({ environment, configurationFolder, arguments: commanded ? [] : programArguments });
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    if (commanded && programArguments[0] === doctorWord && !asksForHelp(programArguments)) {
      const { examineRefusal } = await import('./doctor/doctor.ts');
      process.stdout.write(`${examineRefusal(error, programArguments.includes('--json')).lines.join('\n')}\n`);
      process.exitCode = 1;
    } else {
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 2;
    }
    return undefined;
  }
}

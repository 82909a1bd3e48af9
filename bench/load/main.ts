/** The entry of `murmuration load`, a process of its own, which opens no data folder and starts no server. */
import { runLoadCommand } from './command/command.ts';

const interruption = new AbortController();
/** Ctrl-C in a terminal may arrive twice, once by the process that started this one. */
const sameSignalMilliseconds = 1_000;
let firstAt = 0;

// The first signal ends the run with its report, a later one at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (!interruption.signal.aborted) firstAt = performance.now();
    else if (performance.now() - firstAt > sameSignalMilliseconds) process.exit(130);
    interruption.abort();
  });
process.on('disconnect', () => interruption.abort());

process.exitCode = await runLoadCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  terminal: process.stderr,
  interruption: interruption.signal,
});

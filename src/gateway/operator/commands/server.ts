/** Commands about the server as a whole: its state, and its data folder. */
import { serverState } from '../../../operations/administration/server-state.ts';
import { optionLimits } from '../../../options/limits.ts';
import { software } from '../../../services/software.ts';
import { type Command, command, ofTheMachine, threadCommand } from './command.ts';
import { wholeNumberOf } from './reading.ts';

/** The main thread adds metrics (src/server/operator.ts). */
const status = command({
  words: 'status',
  flags: { watch: { sentence: 'Refreshes the output every second until interrupted.' } },
  sentence: 'Shows usage and health of the server.',
  read: (_argument, flags) => ({ live: flags.watch === true }),
  operation: serverState,
  print: ({ origin, registrations: mode, usage, partitions, deadLetters, archivedDeadLetters }) => [
    `Version: ${software.version}`,
    `Origin: ${origin}`,
    `Registrations: ${mode}`,
    `Users: ${usage.users}`,
    `Active in 30 days, also if suspended since: ${usage.activeMonth}`,
    `Statuses: ${usage.statuses}`,
    `Known servers: ${usage.hosts}`,
    `Partitions: ${partitions}`,
    `Dead letters: ${deadLetters}`,
    `Dead letters in files of the data folder: ${archivedDeadLetters}`,
  ],
});

/** The command line shows it (cli/top.ts). */
const top = threadCommand({
  words: 'top',
  flags: {
    once: { sentence: 'Prints the state of one second, and ends.' },
    json: { sentence: 'The same as JSON, for scripts.' },
  },
  sentence: 'Shows what a running server does, until q: actors, partitions, deliveries, streams, caches.',
  read: (_argument, flags) => ({ once: flags.once === true || flags.json === true, json: flags.json === true }),
});

/** Carried out before connecting to a server (cli/main.ts): it needs a stopped one. */
const check: Command = {
  words: 'check',
  audit: ofTheMachine,
  flags: {},
  sentence: 'Checks the data folder of a stopped server: every key, record, index and counter.',
  read: () => ({}),
};

/** The same. */
const repartition: Command = {
  words: 'repartition',
  audit: ofTheMachine,
  argument: 'NUMBER',
  flags: {},
  sentence:
    'Changes the number of partitions of a stopped server, after a check. Needs disk space for a second copy of the data.',
  read: (number) => ({ partitions: wholeNumberOf(number, optionLimits.partitionsMax) }),
};

export const serverCommands = [status, top, check, repartition];

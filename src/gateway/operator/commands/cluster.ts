/** Commands about a server whose logs are on other machines. */
import { type Command, type FlagValues, ofTheMachine, threadCommand } from './command.ts';
import { text, UsageError, wholeNumber } from './reading.ts';

/** The process of the command carries it out itself (cli/main.ts). */
const init: Command = {
  words: 'cluster init',
  audit: ofTheMachine,
  flags: { replace: { sentence: 'Removes the logs that are there already.' } },
  sentence:
    'Makes the logs of a stopped server in the NATS servers that MURMURATION_CLUSTER names, after a check of its files. From then on it is started with that option.',
  read: (_argument, flags) => ({ replace: flags.replace === true }),
};

/** As `init`, like `snapshot` and `join`: it needs no server on this machine. */
const status = threadCommand({
  words: 'cluster status',
  sentence:
    'Shows which node serves, which stand by and how far behind, and the logs. Takes some seconds, to see that a node lives.',
  read: () => ({}),
});

const handover = threadCommand({
  words: 'cluster handover',
  sentence:
    'Ends the serving of this node in favour of one that stands by and is up to date. Its process ends with code 75, to be started again, and then stands by.',
  read: () => ({}),
});

const leave = threadCommand({
  words: 'cluster leave',
  sentence: 'Ends this node for good (code 0): one that serves hands over first, as handover does.',
  read: () => ({}),
});

const snapshot = threadCommand({
  words: 'cluster snapshot',
  sentence:
    'Makes a snapshot of this node in MURMURATION_CLUSTER_SNAPSHOTS now, and truncates the logs behind the one before it. Nodes that stand by do so by themselves.',
  read: () => ({}),
});

const join = threadCommand({
  words: 'cluster join',
  sentence:
    'Makes the data folder of a new node, or of one that fell behind what the logs still have, from the newest snapshot. It must be new or empty.',
  read: () => ({}),
});

/** As `init`. */
const repair: Command = {
  words: 'cluster repair',
  audit: ofTheMachine,
  flags: {
    apply: {
      sentence: 'Does what the command has said it would do, once it was run on every machine. Needs --copies.',
    },
    copies: {
      value: 'NUMBER',
      sentence: 'How many machines have a copy: nothing is done unless exactly so many are known.',
    },
    forget: { value: 'NAME', sentence: 'Only forgets what was noted of a copy whose machine is gone for good.' },
  },
  sentence:
    'On a node that is stopped, like all others: compares its copy with the logs, with the copies of the nodes where it was run before and with the snapshots, and says which has the most and what to do.',
  read: (_argument, flags) => repairOf(flags),
};

const machinesMax = 1_000;

function repairOf(flags: FlagValues): { copies?: number; forget?: string } {
  const copies = wholeNumber(flags, 'copies', machinesMax);
  const forget = text(flags, 'forget');
  if (forget !== undefined) {
    if (flags.apply === true || copies !== undefined)
      throw new UsageError('--forget stands alone: it only removes what was noted of a copy.');
    return { forget };
  }
  if (flags.apply !== true) {
    if (copies !== undefined) throw new UsageError('--copies belongs to --apply: without it nothing is changed.');
    return {};
  }
  if (copies === undefined)
    throw new UsageError(
      '--copies is missing: say how many machines have a copy, such as --apply --copies 2, after the command was run without --apply on each of them.',
    );
  return { copies };
}

export const clusterCommands = [init, status, handover, leave, snapshot, join, repair];

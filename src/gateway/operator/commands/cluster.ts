/** Commands about a server whose logs are on other machines. The process of the command carries them out itself (cli/main.ts). */
import type { Command } from './command.ts';

const init: Command = {
  words: 'cluster init',
  flags: { replace: { sentence: 'Removes the logs that are there already.' } },
  sentence:
    'Makes the logs of a stopped server in the NATS servers that MURMURATION_CLUSTER names, after a check of its files. From then on it is started with that option.',
  read: (_argument, flags) => ({ replace: flags.replace === true }),
};

export const clusterCommands = [init];

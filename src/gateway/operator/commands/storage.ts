/** Commands about the disk space of the data folder. Their process carries them out itself (cli/main.ts). */
import { type Command, ofTheMachine } from './command.ts';

const storage: Command = {
  words: 'storage',
  audit: ofTheMachine,
  flags: { json: { sentence: 'Prints one line of JSON, for scripts.' } },
  sentence:
    'Shows what takes the disk space, beside a running server too: posts and accounts of people here and of other servers, lists, notifications, logs, media, the search index; what is free inside the files; and how it grows.',
  read: (_argument, flags) => ({ json: flags.json === true }),
};

const compact: Command = {
  words: 'compact',
  audit: ofTheMachine,
  flags: {},
  sentence:
    'Writes the database of a stopped server anew without what is free inside its files, after a check. Needs disk space for the new files beside the old ones. Interrupting it leaves the old ones.',
  read: () => ({}),
};

export const storageCommands = [storage, compact];

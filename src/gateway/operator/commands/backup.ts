/** Commands about backups. The process of the command carries them out itself (cli/main.ts), beside the server. */
import { type Command, ofTheMachine } from './command.ts';
import { text, UsageError, wholeNumber } from './reading.ts';

const keepMax = 10_000;
const rateMax = 100_000;

const backup: Command = {
  words: 'backup',
  audit: ofTheMachine,
  argument: 'FOLDER|s3://BUCKET/PREFIX',
  flags: {
    keep: { value: 'NUMBER', sentence: 'Afterwards only so many backups are kept there, the newest.' },
    rate: { value: 'NUMBER', sentence: 'Megabytes to read in a second; 32 where it is omitted.' },
    'no-media': { sentence: 'Leaves out media.' },
    json: { sentence: 'Prints one line of JSON, for scripts.' },
  },
  sentence:
    'Makes a backup of a server that runs, or is stopped: its state at one moment, and its media. Of media only what is not there yet is copied. Interrupting it leaves the earlier backups as they are.',
  read: (place, flags) => ({
    place: demanded(place),
    keep: wholeNumber(flags, 'keep', keepMax),
    rate: wholeNumber(flags, 'rate', rateMax),
    media: flags['no-media'] !== true,
    json: flags.json === true,
  }),
};

const restore: Command = {
  words: 'restore',
  audit: ofTheMachine,
  argument: ['FOLDER|s3://BUCKET/PREFIX', 'NEW-FOLDER'],
  flags: {
    backup: { value: 'NAME', sentence: 'The name of a backup there; the newest where it is omitted.' },
    origin: { value: 'ORIGIN', sentence: 'That of the backup, where the configuration says another one.' },
  },
  sentence:
    'Makes a data folder of a backup. Everything is verified; an interrupted restore is begun anew by the next call.',
  read: (place, flags, folder = '') => ({
    place: demanded(place),
    folder: demanded(folder),
    name: text(flags, 'backup'),
    origin: text(flags, 'origin'),
  }),
};

function demanded(name: string): string {
  if (name === '') throw new UsageError('The name of a folder must not be empty.');
  return name;
}

export const backupCommands = [backup, restore];

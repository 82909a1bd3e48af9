/** Commands about the disk space of media. */
import {
  mediaDaysMax,
  mediaUsage,
  moveMedia,
  pruneMedia,
  refreshMedia,
} from '../../../operations/administration/media-copies.ts';
import type { MoveProgress } from '../../../operations/media/move-blobs.ts';
import type { RemovedCount } from '../../../services/media/remote-media.ts';
import { command } from './command.ts';
import { text, wholeNumber } from './reading.ts';

const hostsListed = 20;

const usage = command({
  words: 'media usage',
  sentence: 'Shows the disk space of uploads, and of copies of media of other servers.',
  read: () => ({}),
  operation: mediaUsage,
  print: ({ local, hosts }) => {
    const remote = hosts.reduce((sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }), {
      files: 0,
      bytes: 0,
    });
    return [
      `Uploads: ${sizeOf(local)}`,
      `Copies of other servers: ${sizeOf(remote)}`,
      ...hosts.slice(0, hostsListed).map((host) => `  ${host.host}: ${sizeOf(host)}`),
      ...(hosts.length > hostsListed ? [`  and ${hosts.length - hostsListed} more servers`] : []),
    ];
  },
});

const prune = command({
  words: 'media prune',
  flags: {
    days: { value: 'NUMBER', sentence: 'Only copies that were not viewed for so many days.' },
    host: { value: 'HOST', sentence: 'Only copies of media of this server.' },
  },
  sentence: 'Removes copies of media of other servers. They are fetched again when they are viewed.',
  read: (_argument, flags) => ({ days: wholeNumber(flags, 'days', mediaDaysMax), host: text(flags, 'host') }),
  operation: pruneMedia,
  print: (removed) => [`Removed ${sizeOf(removed)}.`],
});

const refresh = command({
  words: 'media refresh',
  argument: 'HANDLE|ADDRESS',
  sentence: 'Removes the copies of what an account or a post of another server shows, so that they are fetched again.',
  read: (subject) => ({ subject }),
  operation: refreshMedia,
  print: (removed) => [`Removed ${sizeOf(removed)}.`],
});

const move = command({
  words: 'media move',
  sentence:
    'Moves uploads from where they were kept before to where the options say, while the server runs. It can be interrupted, and goes on with the next call.',
  read: () => ({}),
  operation: moveMedia,
  goesOn: ({ state }) => state !== 'done',
  print: (progress) => (progress.state === 'done' ? movedLines(progress) : [progressLine(progress)]),
});

function movedLines({ moved, damaged, unknown }: MoveProgress): string[] {
  return [
    moved.files === 0 ? 'There was nothing to move.' : `Moved ${sizeOf(moved)}.`,
    ...damaged.map((name) => `${name} is damaged, and was not moved.`),
    ...(unknown === 0 ? [] : [`Files to which nothing refers, and that were not moved: ${unknown}`]),
  ];
}

const barCharacters = 30;

function progressLine({ state, all, moved }: MoveProgress): string {
  if (state === 'counting') return `Counting: ${sizeOf(all)}`;
  const part = all.bytes === 0 ? 1 : Math.min(1, moved.bytes / all.bytes);
  const bar = '#'.repeat(Math.floor(part * barCharacters)).padEnd(barCharacters, '.');
  return `[${bar}] ${Math.floor(part * 100)} %: ${moved.files} of ${sizeOf(all)}`;
}

function sizeOf({ files, bytes }: RemovedCount): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const mediaCommands = [usage, prune, refresh, move];

/** Commands about the disk space of media. */
import { mediaDaysMax, mediaUsage, pruneMedia, refreshMedia } from '../../../operations/administration/media-copies.ts';
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

function sizeOf({ files, bytes }: RemovedCount): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const mediaCommands = [usage, prune, refresh];

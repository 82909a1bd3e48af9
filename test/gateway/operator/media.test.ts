/** The disk space of media, as the operator sees and frees it: `media usage`, `media prune` and `media refresh`. */
import { expect, test } from 'vitest';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import type { RemovedMedia } from '../../../src/services/media/remote-media.ts';
import { Callers } from '../../operations/callers.ts';

const copy = (host: string, bytes: number) => ({ host, files: 2, bytes });

async function run(words: string, argument = '', flags: Record<string, string> = {}) {
  const { services } = new Callers();
  const removed: RemovedMedia[] = [];
  Object.assign(services, {
    blobs: {
      async *list() {
        yield { name: 'a', bytes: 1_500_000, storedAt: 0 };
        yield { name: 'b', bytes: 1_000_000, storedAt: 0 };
      },
    },
    remoteMedia: {
      usage: async () => [copy('large.example', 4_000_000), copy('small.example', 100_000)],
      remove: async (what: RemovedMedia) => {
        removed.push(what);
        return { files: 1, bytes: 250_000 };
      },
    },
  });
  const command = commands.find((one) => one.words === words)!;
  return { ...(await command.run!(services, command.read(argument, flags))), removed, now: services.now() };
}

test('usage is told by place', async () => {
  expect((await run('media usage')).lines).toEqual([
    'Uploads: 2 files, 2.5 MB',
    'Copies of other servers: 4 files, 4.1 MB',
    '  large.example: 2 files, 4.0 MB',
    '  small.example: 2 files, 0.1 MB',
  ]);
});

test('copies are removed by age and by host', async () => {
  const { lines, removed, now } = await run('media prune', '', { days: '7', host: 'Large.example' });
  expect(lines).toEqual(['Removed 1 file, 0.3 MB.']);
  expect(removed).toEqual([{ notViewedSince: now - 7 * 86_400_000, host: 'large.example' }]);
  await expect(run('media prune')).rejects.toThrow('Say of how many days');
});

test('what is no account and no post of another server is not refreshed', async () => {
  await expect(run('media refresh', 'nobody')).rejects.toThrow('nobody is no account and no post');
  await expect(run('media refresh', '@nobody@nowhere.example')).rejects.toThrow('is no account and no post');
});

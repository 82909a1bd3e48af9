/**
 * The power goes at any operation on a data folder: while it is made, while a start begins, while its partitions move.
 * Whatever part of what was not flushed has come to the disk, names of files among it, the next start finds a folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkFolder } from '../../../src/server/folder/check-folder.ts';
import { openDataFolder } from '../../../src/server/folder/data-folder.ts';
import { readManifest } from '../../../src/server/folder/manifest.ts';
import { prepareFolder } from '../../../src/server/folder/prepare.ts';
import { poisonFile } from '../../../src/server/poison-file.ts';
import { losePower, watched } from '../../runtime/support/power-loss.ts';
import { compileLibrary, whyNoPreloading } from '../../runtime/support/preloading.ts';
import { SeededRandom } from '../../sim/random.ts';
import { builtEntry } from '../../support/built.ts';
import { freePort } from '../../support/free-port.ts';
import { startTestServer } from '../../support/server.ts';
import type { User } from '../../support/users.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const obstacle = whyNoPreloading();
if (obstacle !== undefined) console.warn(`The tests without power are passed over: ${obstacle}.`);

const child = fileURLToPath(builtEntry(new URL('../fixtures/folder-child.ts', import.meta.url)));
const serverRounds = 6;
const reason = isLong ? '' : ' (skipped: it takes minutes; npm run test:long runs it)';

type Doing = 'prepare' | 'repartition' | 'letters' | 'poison';
const partitions = 2;
const wish = { partitions, origin: 'https://here.example' };

// because what was flushed is watched by a preloaded library, which needs Linux and a C compiler
describe.skipIf(obstacle !== undefined)('when the power goes', () => {
  const random = new SeededRandom(17);
  let parent: string;
  let path: string;
  let library: string;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    parent = mkdtempSync(join(tmpdir(), 'murmuration-folder-power-'));
    path = join(parent, 'data');
    library = compileLibrary('power-loss', parent);
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  /** Runs until this operation on the folder; answers whether it came to its end before. */
  async function run(what: Doing, count: number, operations?: number): Promise<boolean> {
    const running = spawn(process.execPath, [child, path, what, String(count)], {
      env: { ...process.env, ...watched(library, path, operations) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    running.stderr.on('data', (text: Buffer) => {
      complaints += text.toString();
    });
    const [code, signal] = (await once(running, 'close')) as [number | null, string | null];
    expect([code ?? signal, complaints]).toEqual([signal === null ? 0 : 'SIGKILL', '']);
    return signal === null;
  }

  /** At every operation, or each so many, and behind the last one, in the long suite; behind it, and somewhere, otherwise. */
  async function atEach(
    what: Doing,
    count: number,
    begin: () => void,
    after: (isDone: boolean) => Promise<void>,
    step = 1,
  ): Promise<void> {
    const last = Number.MAX_SAFE_INTEGER;
    const some = [random.between(1, 60), last];
    for (let index = 1, isDone = false; !isDone; index += 1) {
      begin();
      isDone = await run(what, count, isLong ? index * step - random.below(step) : some[index - 1]);
      losePower(path, random, isDone ? 0 : random.pick([0, 0, 0.5, 0.9]));
      await after(isDone);
    }
  }

  const empty = () => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  };
  const copyOf = (folder: string) => () => {
    rmSync(path, { recursive: true, force: true });
    cpSync(folder, path, { recursive: true });
  };

  test('while a folder is made, it is made by the next start', async () => {
    await atEach('prepare', partitions, empty, async (isDone) => {
      if (isDone) expect(readManifest(openDataFolder(path))).toMatchObject({ epoch: 1 });
      const { epoch } = await prepareFolder(openDataFolder(path), wish);
      expect(epoch).toBeGreaterThan(0);
      expect(await checkFolder(openDataFolder(path))).toMatchObject({ sound: true });
    });
  });

  test('the file of dead letters has those that have left the database', async () => {
    empty();
    await run('letters', partitions);
    losePower(path, random, 0);
    const lines = readFileSync(join(path, 'dead-letters-0.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { letter: string }).letter)).toEqual(['0-1', '0-2']);
  });

  test('the list of poisonous messages is there, as it was or as it is', async () => {
    await atEach('poison', partitions, empty, async (isDone) => {
      const digests = poisonFile(path, ({ message }) => expect.fail(message))
        .load()
        .map(({ digest }) => digest);
      expect(isDone ? [['two']] : [[], ['one'], ['two']]).toContainEqual(digests);
    });
  });

  // because rounds of servers take minutes
  test.skipIf(!isLong)(`a server has all posts that it has answered${reason}`, async () => {
    empty();
    const posts: string[] = [];
    let author: User | undefined;
    for (let round = 0; round < serverRounds; round += 1) {
      const server = await startTestServer({ dataDirectory: path, port, environment: watched(library, path) });
      author ??= await server.createUser('alice');
      const { token } = author;
      const postsUntil = posts.length + random.between(1, 300);
      const write = async (client: number): Promise<void> => {
        for (let count = 0; posts.length < postsUntil; count += 1) {
          const json = { status: `post ${round} ${client} ${count}` };
          const response = await server.fetch('/api/v1/statuses', { method: 'POST', token, json });
          posts.push(((await response.json()) as { id: string }).id);
        }
        await server.kill();
      };
      await Promise.allSettled(Array.from({ length: 8 }, (_, client) => write(client)));
      losePower(path, random, random.pick([0, 0.5]));
      const after = await startTestServer({ dataDirectory: path, port });
      for (const id of posts) expect((await after.fetch(`/api/v1/statuses/${id}`, { token })).status).toBe(200);
      expect(await after.stop()).toBe(0);
    }
    expect(posts.length).toBeGreaterThan(serverRounds);
  });

  describe('over a folder that was made', () => {
    let made: string;

    beforeAll(async () => {
      made = join(parent, 'made');
      await prepareFolder(openDataFolder(made), wish);
    });

    test('a start that began is followed by one that is later', async () => {
      await atEach('prepare', partitions, copyOf(made), async (isDone) => {
        const { epoch } = readManifest(openDataFolder(path)) as { epoch: number };
        expect(isDone ? [2] : [1, 2]).toContain(epoch);
        expect((await prepareFolder(openDataFolder(path), wish)).epoch).toBe(epoch + 1);
        expect(await checkFolder(openDataFolder(path))).toMatchObject({ sound: true });
      });
    });

    test('while its partitions move, it is the old folder or the new one', async () => {
      await atEach(
        'repartition',
        3,
        copyOf(made),
        async (isDone) => {
          const { partitions: found } = readManifest(openDataFolder(path))!;
          expect(isDone ? [3] : [partitions, 3]).toContain(found);
          expect(await checkFolder(openDataFolder(path))).toMatchObject({ sound: true });
          await prepareFolder(openDataFolder(path), { ...wish, partitions: found });
          expect(existsSync(join(path, found === 3 ? 'partition-2-generation-1' : 'partition-1'))).toBe(true);
        },
        4,
      );
    });
  });
});

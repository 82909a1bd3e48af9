/** A server on a really full disk: a small file system is filled to the last byte and emptied again. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { smallDisksMissing } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const startFile = join(import.meta.dirname, '../../src/start.mjs');
const obstacle = await smallDisksMissing();
if (obstacle !== undefined) console.warn(`The full disk of a running server is passed over: ${obstacle}`);

/** The server sees the disk, and nobody else: what is done with it is asked for by words on standard input. */
const script = `
mount -t tmpfs -o size=48m,mode=700 none "$1" || exit 9
"$2" "$3" </dev/null >"$1.log" 2>&1 &
server=$!
while read -r word; do
  case $word in
    person) "$2" "$3" accounts create alice --email alice@example.org --password 'long enough' --confirmed --approved >/dev/null
            "$2" "$3" tokens create alice --scopes 'read write' ;;
    fill) head -c 96m /dev/zero >"$1/ballast" 2>/dev/null; echo filled ;;
    free) rm "$1/ballast"; echo freed ;;
    stop) kill -TERM $server; wait $server; echo "code $?"; exit ;;
  esac
done
kill -KILL $server`;

// because a disk of a few MB is a mount of one's own, which needs Linux and user namespaces
describe.skipIf(obstacle !== undefined)('a running server on a full disk', () => {
  let place: string;
  let origin: string;
  let child: ChildProcess;
  let said = '';
  let token: string;

  async function answerTo(word: string): Promise<string> {
    const before = said.length;
    child.stdin!.write(`${word}\n`);
    await until(() => said.endsWith('\n') && said.length > before, { description: word });
    return said.slice(before).trim();
  }

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const publish = (status: string) =>
    ask('/api/v1/statuses', { method: 'POST', body: new URLSearchParams({ status }) });
  const health = async () => {
    const [plain, precise] = await Promise.all([
      ask('/health'),
      ask('/health', { headers: { accept: 'application/json' } }),
    ]);
    return { status: plain.status, text: await plain.text(), body: (await precise.json()) as Record<string, unknown> };
  };

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'murmuration-full-disk-'));
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    child = spawn('unshare', ['-rm', 'bash', '-c', script, 'bash', place, process.execPath, startFile], {
      env: {
        ...process.env,
        MURMURATION_PORT: String(port),
        MURMURATION_ORIGIN: origin,
        MURMURATION_DATA_DIR: join(place, 'data'),
        MURMURATION_PARTITIONS: '1',
        MURMURATION_RATE_LIMITS: 'off',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const isUp = () =>
      fetch(`${origin}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(isUp, { description: 'the server to be ready' });
    token = await answerTo('person');
  });

  afterAll(() => {
    child.stdin!.end();
    rmSync(place, { recursive: true, force: true });
    rmSync(`${place}.log`, { force: true });
  });

  test('refuses what it cannot keep, says so to whoever watches it, and goes on when there is room', async () => {
    const first = (await (await publish('Hello')).json()) as { id: string };
    expect(await answerTo('fill')).toBe('filled');
    const kept: string[] = [first.id];
    const refusal = await (async () => {
      for (let count = 0; count < 500; count += 1) {
        const answer = await publish('x'.repeat(400));
        if (!answer.ok) return answer;
        kept.push(((await answer.json()) as { id: string }).id);
      }
      throw new Error('the disk was never full');
    })();
    expect([refusal.status, await refusal.json()]).toEqual([
      503,
      { error: 'There was a temporary problem serving your request, please try again' },
    ]);
    const problems = [{ partition: 0, problem: 'cannot write to its storage' }];
    // A gateway asks the partitions at most once a second.
    await until(
      async () => {
        expect(await health()).toMatchObject({ status: 503, text: 'DOWN', body: { status: 'DOWN', problems } });
        return true;
      },
      { description: 'the server to call itself down' },
    );
    expect((await ask(`/api/v1/statuses/${first.id}`)).status).toBe(200);

    expect(await answerTo('free')).toBe('freed');
    await until(async () => (await health()).status === 200, {
      description: 'room again',
    });
    expect((await publish('Hello again')).status).toBe(200);
    for (const id of kept) expect((await ask(`/api/v1/statuses/${id}`)).status).toBe(200);
    expect(await answerTo('stop')).toBe('code 0');
  });
});

/** Which network thread runs an effect, where there are several. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Supervisor } from '../../../src/runtime/threads/supervisor.ts';
import { builtEntry } from '../../support/built.ts';
import { until } from '../../support/until.ts';
import { playerOf } from '../support/players.ts';
import { rolesOf } from '../support/roles.ts';
import type { StageRequest, StageShared } from './fixtures/stage-shared.ts';

const entry = builtEntry(new URL('./fixtures/stage-entry.ts', import.meta.url));

const partitions = 2;

let folder: string;
let supervisor: Supervisor<StageShared>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-effects-'));
  supervisor = new Supervisor<StageShared>({
    entry,
    roles: rolesOf({ owner: 1, network: 2, gateway: 1 }),
    shared: { folder, partitions },
    boot: 1,
    report: () => undefined,
    gaveUp: () => undefined,
  });
  await supervisor.start();
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('what one actor asks for is all run by one thread, which knows what came before; actors share the threads', async () => {
  const players = [0, 1, 2, 3].map((number) => playerOf(number % partitions, partitions, number));
  for (const [number, player] of players.entries()) {
    for (let page = 0; page < 3; page += 1) {
      const request: StageRequest = { what: 'call', player, script: 'fetch', argument: `${page} for ${number}` };
      await supervisor.admin(request);
    }
  }
  const fetched = () => [
    ...readFileSync(join(folder, 'journal'), 'utf8').matchAll(/network (\d) fetches (\d) for (\d)/g),
  ];
  await until(() => fetched().length === 3 * players.length);
  const threadsOf = players.map((_player, number) =>
    fetched()
      .filter(([, , , asker]) => asker === String(number))
      .map(([, thread, page]) => [thread, page]),
  );
  for (const ran of threadsOf) expect(ran).toEqual(['0', '1', '2'].map((page) => [ran[0]![0], page]));
  expect(new Set(threadsOf.map(([first]) => first![0])).size).toBe(2);
});

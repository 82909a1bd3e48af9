/** The supervisor with real threads that die and hang: which are started, replaced and stopped, and in which order. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { threadLimits } from '../../../src/runtime/limits.ts';
import type { Problem } from '../../../src/runtime/ports.ts';
import type { Role } from '../../../src/runtime/threads/role.ts';
import { Supervisor } from '../../../src/runtime/threads/supervisor.ts';
import { builtEntry } from '../../support/built.ts';
import { until } from '../../support/until.ts';
import { type Counts, rolesOf } from '../support/roles.ts';
import type { Death, StartFault, StopFault, ToyRequest, ToyShared } from './fixtures/toy-entry.ts';

const entry = builtEntry(new URL('./fixtures/toy-entry.ts', import.meta.url));
const megabyte = 1024 * 1024;
const everybody = ['owner 0', 'owner 1', 'network 0', 'gateway 0', 'gateway 1'];

let folder: string;
let shared: ToyShared;
let problems: Problem[];
let endings: boolean[];
let supervisor: Supervisor<ToyShared>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-threads-'));
  problems = [];
  endings = [];
  writeFileSync(join(folder, 'journal'), '');
});

afterEach(async () => {
  Atomics.store(new Int32Array(shared.release), 0, 1);
  await supervisor.stop();
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

function create(
  startFaults: Record<string, StartFault> = {},
  stopFaults: Record<string, StopFault> = {},
  counts: Counts = { owner: 2, network: 1, gateway: 2 },
  more: readonly Role[] = [],
): Supervisor<ToyShared> {
  shared = { journal: join(folder, 'journal'), startFaults, stopFaults, release: new SharedArrayBuffer(4) };
  supervisor = new Supervisor<ToyShared>({
    entry,
    roles: [...rolesOf(counts, { heapBytesMax: 100 * megabyte, youngBytesMax: 6 * megabyte }), ...more],
    shared,
    boot: 1,
    report: (problem) => void problems.push(problem),
    gaveUp: (clean) => void endings.push(clean),
  });
  return supervisor;
}

function journal(): string[] {
  return readFileSync(shared.journal, 'utf8').split('\n').slice(0, -1);
}

/** Who did something, in order. */
function those(what: string): string[] {
  return journal().flatMap((line) => (line.endsWith(what) ? [line.slice(0, -what.length - 1)] : []));
}

function ask(request: ToyRequest): Promise<unknown> {
  return supervisor.admin(request);
}

async function kill(role: string, index: number, how: Death = 'throw'): Promise<void> {
  const deaths = those('dies').length;
  await ask({ what: 'die', how, role, index });
  await until(() => those('dies').length > deaths);
}

function lineOf(line: string): number {
  const index = journal().indexOf(line);
  if (index < 0) throw new Error(`nothing says: ${line}`);
  return index;
}

/** The deadline of one thread passes: others of its role have ended by then, and it has stopped if it ever does. */
async function stopPastDeadlineOf(title: string): Promise<boolean> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const stopped = supervisor.stop();
    const mayPass = () => vi.getTimerCount() === 1 && journal().includes(`${title} stands still`);
    await until(mayPass, { description: `${title} alone to be waited for` });
    // What the thread has told by then is read in this round of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(threadLimits.stopDeadlineMilliseconds);
    vi.useRealTimers();
    return await stopped;
  } finally {
    vi.useRealTimers();
  }
}

describe('starting', () => {
  test('owners come first, network threads last, and everybody reaches everybody', async () => {
    await create().start();
    const starts = those('starts 0').map((title) => title.split(' ')[0]);
    expect(starts).toEqual(['owner', 'owner', 'gateway', 'gateway', 'network']);
    for (const [role, index] of [
      ['owner', 0],
      ['owner', 1],
      ['network', 0],
      ['gateway', 1],
    ] as const)
      expect(await ask({ what: 'greet', role, index })).toBe(`${role} ${index} 0`);
  });

  test('a further role starts, is linked, is replaced and stops as its row says', async () => {
    const search: Role = {
      ...{ name: 'search', count: 1, loadsEarly: false, stopOrder: 2, linkedTo: ['owner', 'gateway'] },
      ...{ answersOperator: false, isTerminable: true },
    };
    await create({}, {}, { owner: 1, network: 1, gateway: 1 }, [search]).start();
    expect(those('starts 0').at(-1)).toBe('search 0');
    expect(await ask({ what: 'greet', role: 'search', index: 0 })).toBe('search 0 0');
    await kill('search', 0);
    for (const title of ['owner 0', 'gateway 0'])
      await until(() => journal().includes(`${title} hears that search 0 is new`));
    await kill('network', 0);
    await until(() => journal().includes('gateway 0 hears that network 0 is new'));
    expect(await ask({ what: 'greet', role: 'search', index: 0 })).toBe('search 0 1');
    expect(await supervisor.stop()).toBe(true);
    expect(journal()).not.toContain('network 0 hears that search 0 is new');
    expect(journal()).not.toContain('search 0 hears that network 0 is new');
    const stops = those('stops');
    expect([stops[0], stops.at(-1), new Set(stops)]).toEqual([
      'gateway 0',
      'owner 0',
      new Set(['gateway 0', 'network 0', 'search 0', 'owner 0']),
    ]);
  });

  test('a gateway has the heap that is meant for gateways', async () => {
    await create({}, {}, { owner: 1, network: 1, gateway: 1 }).start();
    const heap = { maxOldGenerationSizeMb: 100, maxYoungGenerationSizeMb: 6 };
    expect(await ask({ what: 'limits' })).toMatchObject(heap);
  });

  test.each<[string, StartFault, string]>([
    ['owner 1', 'throws', 'owner 1 cannot start'],
    ['network 0', 'rejects', 'network 0 cannot start'],
    ['gateway 1', 'exits', 'gateway thread 1 has ended with code 4'],
  ])('fails when %s %s, and leaves nothing running', async (title, fault, reason) => {
    await expect(create({ [title]: fault }).start()).rejects.toThrow(reason);
    // Those that had not been told to start were stopped as well; network threads had not even begun.
    const begun = everybody.filter((other) => other === title || !other.startsWith('network'));
    expect(those('exits').sort()).toEqual(begun.sort());
    expect(journal().filter((line) => line.includes('starts 1'))).toEqual([]);
    expect(endings).toEqual([]);
  });

  test('a thread that dies when it is ready is replaced, also while others still start', async () => {
    await create({ 'network 0': 'dies when ready' }).start();
    await until(() => journal().includes('network 0 starts 1'));
    expect(problems.map(({ message }) => message)).toContain('network thread 0 failed');
  });

  test('is ended by a stop, and nothing begins after it', async () => {
    const start = expect(create().start()).rejects.toThrow();
    expect(await supervisor.stop()).toBe(true);
    await start;
    expect(journal().filter((line) => line.startsWith('network'))).toEqual([]);
    expect([problems, endings]).toEqual([[], []]);
  });

  test('with an entry that cannot be loaded fails with its reason', async () => {
    const broken = join(folder, 'broken.mjs');
    writeFileSync(broken, 'import "./missing.mjs";');
    create();
    const report = (problem: Problem) => void problems.push(problem);
    const withBroken = () =>
      new Supervisor({
        entry: new URL(`file://${broken}`),
        roles: rolesOf({ owner: 1, network: 1, gateway: 1 }),
        shared,
        boot: 1,
        report,
        gaveUp: (clean) => void endings.push(clean),
      });
    const other = withBroken();
    await expect(other.start()).rejects.toThrow('missing.mjs');
    expect(await other.stop()).toBe(true);
    // Also where it is loaded to wait for its start.
    const waiting = withBroken();
    await expect(waiting.load()).rejects.toThrow('missing.mjs');
    expect(await waiting.stop()).toBe(true);
  });
});

describe('a thread that dies', () => {
  test.each<Death>(['throw', 'reject', 'exit'])('by %s is replaced by one that everybody knows', async (how) => {
    await create().start();
    await kill('owner', 1, how);
    await until(() => journal().includes('owner 1 starts 1'));
    for (const title of ['owner 0', 'network 0', 'gateway 0', 'gateway 1'])
      await until(() => journal().includes(`${title} hears that owner 1 is new`));
    expect(await ask({ what: 'greet', role: 'owner', index: 1 })).toBe('owner 1 1');
    expect(endings).toEqual([]);
  });

  test('may die again, and so may its replacement', async () => {
    await create().start();
    for (let life = 1; life <= 3; life += 1) {
      await kill('network', 0);
      await until(() => journal().includes(`network 0 starts ${life}`));
      expect(await ask({ what: 'greet', role: 'network', index: 0 })).toBe(`network 0 ${life}`);
    }
    expect(await supervisor.stop()).toBe(true);
    expect(journal().at(-1)).toMatch(/^owner \d exits$/);
  });

  test('too often ends the server, whatever the wall clock says, after the others were stopped in their order', async () => {
    await create().start();
    const now = Date.now;
    for (let death = 0; death <= threadLimits.deathsMax; death += 1) {
      vi.spyOn(Date, 'now').mockImplementation(() => now() + death * threadLimits.deathWindowMilliseconds);
      await kill('owner', 0);
      if (death < threadLimits.deathsMax) await until(() => journal().includes(`owner 0 starts ${death + 1}`));
    }
    await until(() => endings.length > 0);
    expect(endings).toEqual([true]);
    expect(lineOf('gateway 1 exits')).toBeLessThan(lineOf('network 0 stops'));
    expect(lineOf('network 0 exits')).toBeLessThan(lineOf('owner 1 stops'));
    expect(problems.at(-1)!.message).toBe('owner thread 0 keeps failing: the server gives up');
  });

  test('at the moment of the stop keeps nobody waiting', async () => {
    await create().start();
    await ask({ what: 'die', how: 'exit', role: 'owner', index: 0 });
    expect(await supervisor.stop()).toBe(true);
  });
});

describe('stopping', () => {
  test('gateways end first, then network threads, then owners', async () => {
    await create().start();
    expect(await supervisor.stop()).toBe(true);
    for (const gateway of ['gateway 0', 'gateway 1'])
      expect(lineOf(`${gateway} exits`)).toBeLessThan(lineOf('network 0 stops'));
    for (const owner of ['owner 0', 'owner 1'])
      expect(lineOf('network 0 exits')).toBeLessThan(lineOf(`${owner} stops`));
    expect(problems).toEqual([]);
  });

  test('twice is once', async () => {
    await create().start();
    const [first, second] = await Promise.all([supervisor.stop(), supervisor.stop()]);
    expect([first, second]).toEqual([true, true]);
    expect(those('stops').sort()).toEqual([...everybody].sort());
  });

  test.each<[string, StopFault]>([
    ['owner 0', 'hangs'],
    ['network 0', 'leaves something open'],
    ['gateway 1', 'leaves something open'],
  ])('%s that %s is ended at its deadline', async (title, fault) => {
    await create({}, { [title]: fault }).start();
    expect(await stopPastDeadlineOf(title)).toBe(true);
    const [role, index] = title.split(' ');
    expect(problems.map(({ message }) => message)).toEqual([`${role} thread ${index} did not stop in time`]);
  });

  test('a thread whose stop fails has ended', async () => {
    await create({}, { 'network 0': 'throws' }).start();
    expect(await supervisor.stop()).toBe(true);
    expect(problems.map(({ message }) => message)).toEqual(['network thread 0 failed']);
  });

  test('a gateway that may still have sockets is left alone, and the stop says so', async () => {
    await create({}, { 'gateway 0': 'hangs' }).start();
    expect(await stopPastDeadlineOf('gateway 0')).toBe(false);
    // All others have ended.
    expect(those('exits').sort()).toEqual(everybody.filter((title) => title !== 'gateway 0').sort());
    Atomics.store(new Int32Array(shared.release), 0, 1);
    await until(() => journal().includes('gateway 0 exits'));
  });
});

describe('a command', () => {
  test('that fails says why', async () => {
    await create().start();
    await expect(ask({ what: 'fail', sentence: 'There is no such account.' })).rejects.toThrow('no such account');
    expect(await ask({ what: 'greet', role: 'owner', index: 0 })).toBe('owner 0 0');
  });

  test('whose thread dies over it ends with a sentence', async () => {
    await create().start();
    await expect(ask({ what: 'die', how: 'exit', role: 'gateway', index: 0 })).rejects.toThrow('has ended');
    await until(() => journal().includes('gateway 0 starts 1'));
    expect(await ask({ what: 'greet', role: 'owner', index: 0 })).toBe('owner 0 0');
  });
});

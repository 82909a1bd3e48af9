/** Threads whose event loop hangs are reported, then replaced; a suspended process blames no thread. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/runtime/ports.ts';
import { Supervisor } from '../../../src/runtime/threads/supervisor.ts';
import { builtEntry } from '../../support/built.ts';
import { until } from '../../support/until.ts';
import { rolesOf } from '../support/roles.ts';
import type { Death, ToyShared } from './fixtures/toy-entry.ts';

const entry = builtEntry(new URL('./fixtures/toy-entry.ts', import.meta.url));
const suspendedProcess = builtEntry(new URL('./fixtures/suspended-process.ts', import.meta.url));
const limits = { watchMilliseconds: 50, silenceReportedMilliseconds: 200, silenceMilliseconds: 600 };

let folder: string;
let shared: ToyShared;
let problems: Problem[];
let endings: boolean[];
let supervisor: Supervisor<ToyShared> | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-hanging-'));
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  shared = { journal, startFaults: {}, stopFaults: {}, release: new SharedArrayBuffer(4), listens: true };
  problems = [];
  endings = [];
});

afterEach(async () => {
  await supervisor?.stop();
  supervisor = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(more: Partial<ToyShared> = {}, changes = {}): Promise<Supervisor<ToyShared>> {
  supervisor = new Supervisor<ToyShared>({
    entry,
    roles: rolesOf({ owner: 1, network: 1, gateway: 1 }),
    shared: { ...shared, ...more },
    boot: 1,
    report: (problem) => void problems.push(problem),
    gaveUp: (clean) => void endings.push(clean),
    limits: { ...limits, ...changes },
  });
  await supervisor.start();
  return supervisor;
}

function journal(): string[] {
  return readFileSync(shared.journal, 'utf8').split('\n');
}

/** What was reported of threads of a role. Those of others may come late on a busy machine, and are no matter here. */
function messagesOf(role: string): string[] {
  return problems.map(({ message }) => message).filter((message) => message.startsWith(`${role} thread`));
}

function strike(server: Supervisor<ToyShared>, role: string, how: Death): void {
  // A gateway that hangs answers nobody, the command that told it to included.
  server.admin({ what: 'die', how, role, index: 0 }).catch(() => undefined);
}

describe('a thread that hangs', () => {
  test.each<string>(['gateway', 'owner', 'network'])('as %s is reported, then replaced', async (role) => {
    const server = await start();
    strike(server, role, 'hang');
    await until(() => journal().includes(`${role} 0 starts 1`));
    const told = messagesOf(role);
    // On a busy machine it may have been silent for a moment before.
    const hangs = told.indexOf(`${role} thread 0 hangs and is replaced`);
    expect(told[hangs - 1]).toMatch(new RegExp(`^${role} thread 0 has not answered for \\d\\.\\d s$`));
    // The function, its file and its line, below what it may just have called.
    expect(told[hangs + 1]).toMatch(
      /hung here:\n(?: {4}at .*\n)*? {4}at hang \(file:.*toy-entry-\d+\.mjs:\d+\)\n {4}at die/,
    );
    expect(await server.admin({ what: 'greet', role: 'owner', index: 0 })).toMatch(/^owner 0 [01]$/);
    expect(endings).toEqual([]);
  });

  test('for a while is reported, and again when it answers', async () => {
    // Far from the silence that would end it.
    const server = await start({}, { silenceMilliseconds: 60_000 });
    strike(server, 'network', 'hang');
    await until(() => messagesOf('network').some((message) => /^network thread 0 has not answered for/.test(message)));
    Atomics.store(new Int32Array(shared.release), 0, 1);
    await until(() => messagesOf('network').includes('network thread 0 answers again'));
    expect(journal()).not.toContain('network 0 starts 1');
  });
});

describe('a process that stands still', () => {
  let child: ChildProcess | undefined;

  afterEach(() => child?.kill('SIGKILL'));

  test('for longer than a thread may be silent has all its threads afterwards', async () => {
    const { silenceMilliseconds } = limits;
    const impatient = {
      ...limits,
      mainSilenceMilliseconds: silenceMilliseconds,
      mainSleepMilliseconds: silenceMilliseconds,
    };
    const given = [suspendedProcess.pathname, entry.href, shared.journal, JSON.stringify(impatient)];
    child = spawn(process.execPath, given, { stdio: 'pipe' });
    let said = '';
    for (const output of [child.stdout!, child.stderr!])
      output.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    await until(() => said.includes('ready'));
    child.kill('SIGSTOP');
    const stopped = performance.now();
    await until(() => performance.now() - stopped > 2 * limits.silenceMilliseconds);
    child.kill('SIGCONT');
    await until(() => said.includes('was suspended'));
    const resumed = performance.now();
    await until(() => performance.now() - resumed > 1.5 * limits.silenceMilliseconds);
    expect(said).toMatch(
      /^the process was suspended or had no processor for \d+\.\d s: no thread is replaced because of that$/m,
    );
    expect(said).not.toContain('hangs');
    expect(journal().filter((line) => line.includes('starts'))).toHaveLength(3);
  });
});

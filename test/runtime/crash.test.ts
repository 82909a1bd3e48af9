/** A process under write load is killed at any moment; what it acknowledged is there when its disk is opened again. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankActors } from '../sim/bank/account.actor.ts';
import { bankKeyspaces } from '../sim/bank/account.state.ts';
import { readBooks } from '../sim/bank/books.ts';
import { checks } from '../sim/bank/checks.ts';
import { History } from '../sim/bank/history.ts';
import { leftOver } from '../sim/checkers/rest.ts';
import { SeededRandom } from '../sim/random.ts';
import { until } from '../support/until.ts';
import { bankAccounts, crashPartitions } from './support/crash-bank.ts';
import { Owner } from './support/owner.ts';

const isLong = process.env.MURMURATION_LONG_TESTS !== undefined;
const rounds = isLong ? 50 : 5;
const child = fileURLToPath(new URL('support/crash-child.ts', import.meta.url));
const random = new SeededRandom(7);
const history = new History();

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmuration-crash-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Runs the child under load, kills it some time after its first acknowledgement, and returns the lines it said. */
async function killedUnderLoad(firstOperation: number): Promise<string[]> {
  const killed = spawn(process.execPath, [child, folder, String(firstOperation), String(random.bits())], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  // Somewhere between the first acknowledgement and some thousands of them.
  const killAtBytes = random.between(0, 20_000);
  let complaints = '';
  killed.stdout.setEncoding('latin1').on('data', (text: string) => {
    said += text;
    if (said.length >= killAtBytes && said.includes('\na ')) killed.kill('SIGKILL');
  });
  killed.stderr.setEncoding('latin1').on('data', (text: string) => {
    complaints += text;
  });
  const signal = await new Promise((resolve) => killed.on('close', (_code, endedBy) => resolve(endedBy)));
  expect([signal, complaints]).toEqual(['SIGKILL', '']);
  const lines = said.split('\n');
  lines.pop();
  return lines;
}

function listen(lines: readonly string[]): number {
  let acknowledged = 0;
  for (const line of lines) {
    const [kind, number, ...rest] = line.split(' ');
    if (kind === 'b') {
      const [what, account, ...way] = rest;
      const operation = history.begin(what!, BigInt(account!), way.map(BigInt));
      expect(operation.number).toBe(Number(number));
    } else if (kind === 'a') {
      const operation = history.operations.get(Number(number))!;
      const receipt = { account: operation.last, position: Number(rest[0]) };
      const value = operation.what === 'mint' ? { receipt, ids: [] } : receipt;
      history.heard(operation, { ok: true, value }, receipt.position);
      acknowledged += 1;
    } else history.lookups.set(Number(number), [Number(number) * 1_000]);
  }
  return acknowledged;
}

/** Opens what the dead process left, lets it come to rest, and checks the books. */
async function checkBooks(): Promise<void> {
  const owner = new Owner({
    folder,
    partitions: crashPartitions,
    actors: bankActors,
    keyspaces: bankKeyspaces,
    runEffect: (_effect, request) => {
      const { operation } = request as { operation: number };
      history.lookups.set(operation, [operation * 1_000]);
      return { operation, answer: operation * 1_000 };
    },
    report: (problem) => {
      throw new Error(problem.message, { cause: problem.error });
    },
  });
  try {
    await until(() => owner.isSettled && owner.disks().every((_, number, disks) => !leftOver(number, disks)), {
      deadlineMilliseconds: 10_000,
      description: 'the partitions come to rest',
    });
    expect(owner.problems()).toEqual([]);
    const disks = owner.disks();
    const homeOf = (account: bigint) => owner.placement.partitionOf(Number((account & 0xffffn) >> 6n));
    const books = readBooks(disks, homeOf, bankAccounts);
    if (typeof books === 'string') throw new Error(books);
    for (const check of Object.values(checks))
      expect([check.name, check({ books, history, disks, homeOf })]).toEqual([check.name, undefined]);
  } finally {
    await owner.close();
  }
}

test.each(Array.from({ length: rounds }, (_, index) => index + 1))('round %d', async () => {
  const acknowledged = listen(await killedUnderLoad(history.operations.size + 1));
  expect(acknowledged).toBeGreaterThan(0);
  await checkBooks();
});

/**
 * Kills a process under write load in rounds, records its operations and acknowledgements in a history, and compares
 * the books on its disk with that.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { damageOfLmdbFile } from '../../../src/runtime/storage/lmdb-file.ts';
import { bankActors } from '../../sim/bank/account.actor.ts';
import { bankKeyspaces } from '../../sim/bank/account.state.ts';
import { readBooks } from '../../sim/bank/books.ts';
import { checks } from '../../sim/bank/checks.ts';
import { History } from '../../sim/bank/history.ts';
import { leftOver } from '../../sim/checkers/rest.ts';
import type { SeededRandom } from '../../sim/random.ts';
import { until } from '../../support/until.ts';
import { bankAccounts, crashPartitions } from './crash-bank.ts';
import { Owner } from './owner.ts';

/** The process that is killed: each of the two test files builds it. */
export const crashChild = new URL('crash-child.ts', import.meta.url);

export class CrashRounds {
  private readonly child: string;
  private readonly folder: string;
  private readonly random: SeededRandom;
  private readonly history = new History();

  constructor(child: URL, folder: string, random: SeededRandom) {
    this.child = fileURLToPath(child);
    this.folder = folder;
    this.random = random;
  }

  /** Runs another round; returns the number of operations acknowledged before the kill. */
  async crash(environment: Readonly<Record<string, string>> = {}): Promise<number> {
    return this.listen(await this.killedUnderLoad(environment));
  }

  /** Kills the child some time after its first acknowledgement, and returns the lines it said. */
  private async killedUnderLoad(environment: Readonly<Record<string, string>>): Promise<string[]> {
    const first = String(this.history.operations.size + 1);
    const killed = spawn(process.execPath, [this.child, this.folder, first, String(this.random.bits())], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    let said = '';
    // Somewhere between the first acknowledgement and some thousands of them.
    const killAtBytes = this.random.between(0, 20_000);
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

  private listen(lines: readonly string[]): number {
    const { history } = this;
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

  /** Reads every page of the dead process's disk. */
  checkFiles(): void {
    for (let number = 0; number < crashPartitions; number += 1)
      expect(damageOfLmdbFile(join(this.folder, `partition-${number}`, 'data.mdb'))).toBeUndefined();
  }

  /** Opens that disk, runs pending work, and checks the books. */
  async checkBooks(): Promise<void> {
    const { folder, history } = this;
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
        description: 'the partitions come to rest',
      });
      expect(owner.unsound()).toEqual([]);
      const disks = owner.disks();
      const homeOf = (account: bigint) => owner.placement.partitionOf(Number((account & 0xffffn) >> 6n));
      const books = readBooks(disks, homeOf, bankAccounts);
      if (typeof books === 'string') throw new Error(books);
      // Nobody sets the wall clock here.
      const findings = { books, history, disks, homeOf, hasShown: () => false };
      for (const check of Object.values(checks)) expect([check.name, check(findings)]).toEqual([check.name, undefined]);
    } finally {
      await owner.close();
    }
  }
}

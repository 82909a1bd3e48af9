/**
 * A child process of the crash test: keeps two partitions over LMDB under load until it is killed, and says on its
 * standard output what it asks for and what was acknowledged. Arguments: folder, first operation, seed.
 *
 * Lines: `b operation what account way…` before a call, `a operation position` after its reply, `l operation` when its
 * effect runs. Written with `writeSync`, because `process.stdout` keeps what a full pipe does not take: what was said before
 * the kill must be heard.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../../../src/runtime/storage/durable-files.ts';
import { bankActors } from '../../sim/bank/account.actor.ts';
import { Account } from '../../sim/bank/account.messages.ts';
import { bankKeyspaces } from '../../sim/bank/account.state.ts';
import { SeededRandom } from '../../sim/random.ts';
import type { Answered } from '../../support/partition-host.ts';
import { bankAccounts, crashPartitions } from './crash-bank.ts';
import { Owner } from './owner.ts';

const [, , folder, firstOperation, seed] = process.argv;
const random = new SeededRandom(Number(seed));
const clients = 96;
let operation = Number(firstOperation);

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const owner = new Owner({
  folder: folder!,
  partitions: crashPartitions,
  actors: bankActors,
  keyspaces: bankKeyspaces,
  runEffect: (_effect, request) => {
    const asked = (request as { operation: number }).operation;
    say(`l ${asked}`);
    return { operation: asked, answer: asked * 1_000 };
  },
  report: (problem) => {
    throw new Error(problem.message, { cause: problem.error });
  },
});

function operate(): void {
  const number = operation;
  operation += 1;
  const account = random.pick(bankAccounts);
  const other = random.pick(bankAccounts);
  const what = random.pick(['transfer', 'transfer', 'transfer', 'deposit', 'fetch', 'remind', 'mint', 'ask'] as const);
  const way = what === 'ask' ? [other, random.pick(bankAccounts)] : [];
  say(`b ${[number, what, account, ...way].join(' ')}`);
  const envelope = {
    transfer: () => Account.transfer.to(account, { operation: number, to: other, amount: random.between(1, 100) }),
    deposit: () => Account.deposit.to(account, { operation: number, amount: random.between(1, 100) }),
    fetch: () => Account.fetch.to(account, { operation: number }),
    remind: () => Account.remind.to(account, { operation: number, after: random.below(50), whom: other }),
    mint: () => Account.mint.to(account, { operation: number, count: 3 }),
    ask: () => Account.ask.to(account, { operation: number, way }),
  }[what]();
  const flow = `account:${random.below(4)}`;
  const answered: Answered = (result) => {
    if (!result.ok) throw new Error(`${what} was refused: ${result.failure.code}`);
    const value = result.value as { position: number } | { receipt: { position: number } };
    say(`a ${number} ${'receipt' in value ? value.receipt.position : value.position}`);
    operate();
  };
  owner.submit(envelope, answered, { flow });
}

// As whoever makes partitions does.
for (let partition = 0; partition < crashPartitions; partition += 1)
  syncFolder(join(folder!, `partition-${partition}`));
syncFolder(folder!);
for (let client = 0; client < clients; client += 1) operate();

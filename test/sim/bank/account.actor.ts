/** The handlers of accounts and vaults. */
import { type ActorImplementation, implement } from '../../../src/runtime/contract.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import type { Turn } from '../../../src/runtime/partition/turn.ts';
import { Account, Booked, Lookup, type Receipt, Vault } from './account.messages.ts';
import { type Entry, journal, ledgers, minted, sent, tallies, waiting } from './account.state.ts';

type AccountTurn = Turn<bigint>;

/** Books an entry in journal, ledger and event log, all or none. */
function book(turn: AccountTurn, entry: Partial<Entry> & { what: string; operation: number }): Receipt {
  const account = turn.self.key;
  const ledger = turn.get(ledgers, [account]) ?? { position: 0, balance: 0 };
  const position = ledger.position + 1;
  const amount = entry.amount ?? 0;
  turn.put(ledgers, [account], { position, balance: ledger.balance + amount });
  turn.put(journal, [account, position], { ...entry, amount });
  turn.emit(Booked, { account, position });
  return { account, position };
}

function credit(turn: AccountTurn, to: bigint, operation: number, amount: number): number {
  const sequence = (turn.get(sent, [turn.self.key, to]) ?? 0) + 1;
  turn.put(sent, [turn.self.key, to], sequence);
  turn.tell(Account.credit.to(to, { operation, from: turn.self.key, sequence, amount }));
  return sequence;
}

const account = implement<AccountTurn>()(Account, {
  deposit(turn, { operation, amount }) {
    turn.tell(Vault.counted.to(BigInt(operation % turn.partitions), { operation }));
    return book(turn, { what: 'deposit', operation, amount });
  },
  transfer(turn, { operation, to, amount }) {
    const sequence = credit(turn, to, operation, amount);
    return book(turn, { what: 'transfer', operation, amount: -amount, other: to, sequence });
  },
  credit(turn, { operation, from, sequence, amount }) {
    book(turn, { what: 'credit', operation, amount, other: from, sequence });
    return undefined;
  },
  read(turn) {
    const ledger = turn.get(ledgers, [turn.self.key]) ?? { position: 0, balance: 0 };
    const entries = [...turn.range(journal, [turn.self.key], { reverse: true, limit: 2 })];
    if ((entries[0]?.key[1] ?? 0) !== ledger.position) throw new Error('the journal and the ledger disagree');
    return ledger;
  },
  remind(turn, { operation, after, whom }) {
    const due = turn.now + after;
    turn.schedule(due, Account.reminded.to(whom, { operation, due, partition: turn.partition }));
    return book(turn, { what: 'remind', operation, other: whom });
  },
  reminded(turn, { operation, due, partition }) {
    // Wall clocks of different processes differ; a timer's own partition must not be early.
    const isEarly = partition === turn.partition && turn.now < due;
    book(turn, { what: 'reminded', operation, ...(isEarly && { dueAfter: due }) });
    return undefined;
  },
  fetch(turn, { operation }) {
    turn.effect(Lookup, { operation }, Account.fetched);
    turn.put(waiting, [turn.self.key, operation], true);
    return book(turn, { what: 'fetch', operation });
  },
  fetched(turn, { operation, answer }) {
    if (turn.get(waiting, [turn.self.key, operation]) === undefined) throw new Error('nobody waits for this answer');
    turn.delete(waiting, [turn.self.key, operation]);
    book(turn, { what: 'fetched', operation, value: answer });
    return undefined;
  },
  ask(turn, { operation, way }) {
    const receipt = book(turn, { what: 'ask', operation });
    const [next, ...rest] = way;
    return next === undefined ? receipt : turn.delegateReply(Account.ask.to(next, { operation, way: rest }));
  },
  refuse(turn, { operation, to }) {
    credit(turn, to, operation, 1_000_000);
    turn.effect(Lookup, { operation }, Account.fetched);
    turn.schedule(turn.now, Account.reminded.to(to, { operation, due: turn.now, partition: turn.partition }));
    book(turn, { what: 'refused', operation });
    throw new Failure('conflict');
  },
  trip(turn, { operation, whom }) {
    turn.tell(Account.fall.to(whom, { operation }));
    return book(turn, { what: 'trip', operation, other: whom });
  },
  fall(turn, { operation }) {
    book(turn, { what: 'fallen', operation, amount: 1_000_000 });
    throw new Error('fallen');
  },
  mint(turn, { operation, count }) {
    const ids = Array.from({ length: count }, () => turn.nextId());
    for (const id of ids) {
      if (turn.get(minted, [id]) !== undefined) throw new Error(`the id ${id} was given before`);
      turn.put(minted, [id], turn.self.key);
    }
    return { receipt: book(turn, { what: 'mint', operation, value: count }), ids };
  },
  flood(turn, { operation, to, count }) {
    for (let number = 0; number < count; number += 1) credit(turn, to[number % to.length]!, operation, 0);
    return book(turn, { what: 'flood', operation, value: count });
  },
});

const vault = implement<AccountTurn>()(Vault, {
  counted(turn) {
    turn.put(tallies, [0], (turn.get(tallies, [0]) ?? 0) + 1);
    return undefined;
  },
});

export const bankActors: readonly ActorImplementation[] = [account, vault];

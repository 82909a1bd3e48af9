/**
 * Withdrawals: the ActivityPub ids of objects and activities that a remote account deleted or undid, and the names of
 * what it changed. Activities overtake each other, and anybody who has read signed bytes can replay them: neither may
 * restore what was withdrawn or changed.
 * The account itself stores withdrawals, so that all threads agree and a restart forgets nothing (docs/decisions/0015).
 *
 * INVARIANT an entry lives as long as a signature made before it may count as fresh (signatures/limits.ts).
 */
import { hash } from 'node:crypto';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { withdrawalLimits } from './limits.ts';
import { withdrawals, withdrawalsByNumber } from './withdrawals.state.ts';

export interface Withdrawal {
  /** Activities with this id that were signed later are valid: some servers repeat a Follow under its old id. */
  readonly signedThrough: number;
  /**
   * The activity has not arrived yet. It is dropped when it does, whenever it was signed, because retries are signed
   * anew.
   */
  readonly isAwaited: boolean;
}

export function addWithdrawal(turn: AccountTurn, uri: string, { signedThrough, isAwaited }: Withdrawal): void {
  const accountId = turn.self.key;
  const digest = digestOf(uri);
  const before = turn.get(withdrawals, [accountId, digest]);
  if (before !== undefined) turn.delete(withdrawalsByNumber, [accountId, before.number]);
  const number = makeRoom(turn);
  const until = turn.now + withdrawalLimits.lifetimeMilliseconds;
  const through = Math.max(signedThrough, before?.signedThrough ?? 0);
  turn.put(withdrawals, [accountId, digest], { number, until, signedThrough: through, isAwaited });
  turn.put(withdrawalsByNumber, [accountId, number], { digest, until });
}

/** Whether the account withdrew this. For ids that are never reused: statuses, edits. */
export function isWithdrawn(turn: AccountTurn, uri: string): boolean {
  return find(turn, uri) !== undefined;
}

/** Whether to drop an activity with this id. For activities that may legitimately be repeated under their id. */
export function dropsWithdrawn(turn: AccountTurn, uri: string | undefined, signedAt: number): boolean {
  if (uri === undefined) return false;
  const known = find(turn, uri);
  if (known === undefined) return false;
  if (!known.isAwaited) return signedAt <= known.signedThrough;
  addWithdrawal(turn, uri, { signedThrough: signedAt, isAwaited: false });
  return true;
}

/** Whether an Undo of this activity arrived before it. True once only. */
export function takeAwaited(turn: AccountTurn, uri: string): boolean {
  const known = find(turn, uri);
  if (known?.isAwaited !== true) return false;
  addWithdrawal(turn, uri, { signedThrough: known.signedThrough, isAwaited: false });
  return true;
}

/**
 * Whether a newer change of the same thing was applied before, by the times of the signatures. Otherwise it remembers
 * this change. For what has no ids of its own and is changed to and fro: the profile, what is featured. Signatures count
 * seconds: of two in the same second the later arrival counts. Undefined `signedAt`: no activity brought it.
 */
export function isOvertaken(turn: AccountTurn, changed: string, signedAt: number | undefined): boolean {
  if (signedAt === undefined) return false;
  const known = find(turn, changed);
  if (known !== undefined && signedAt < known.signedThrough) return true;
  // A clock that is ahead must not shut out what is signed after it was put right.
  addWithdrawal(turn, changed, { signedThrough: Math.min(signedAt, turn.now), isAwaited: false });
  return false;
}

/** Removes expired withdrawals, in slices. */
export function sweepWithdrawals(turn: AccountTurn): undefined {
  const accountId = turn.self.key;
  for (const { key, value } of turn.range(withdrawalsByNumber, [accountId], { limit: withdrawalLimits.sweptPerTurn })) {
    if (value.until > turn.now) return void turn.schedule(value.until, Account.sweepWithdrawals.to(accountId, {}));
    remove(turn, key[1], value.digest);
  }
  if (firstNumber(turn) !== undefined) turn.tell(Account.sweepWithdrawals.to(accountId, {}));
}

function find(turn: AccountTurn, uri: string) {
  const known = turn.get(withdrawals, [turn.self.key, digestOf(uri)]);
  return known === undefined || known.until <= turn.now ? undefined : known;
}

/** The number of the next entry. The first entry sets the timer of the sweep; above the bound the oldest is removed. */
function makeRoom(turn: AccountTurn): number {
  const accountId = turn.self.key;
  const first = firstNumber(turn);
  if (first === undefined) {
    const at = turn.now + withdrawalLimits.lifetimeMilliseconds;
    turn.schedule(at, Account.sweepWithdrawals.to(accountId, {}));
    return 1;
  }
  const [last] = turn.range(withdrawalsByNumber, [accountId], { reverse: true, limit: 1 });
  const number = (last?.key[1] ?? first) + 1;
  if (number - first >= withdrawalLimits.perAccountMax) {
    const oldest = turn.get(withdrawalsByNumber, [accountId, first]);
    if (oldest !== undefined) remove(turn, first, oldest.digest);
  }
  return number;
}

function firstNumber(turn: AccountTurn): number | undefined {
  const [first] = turn.range(withdrawalsByNumber, [turn.self.key], { limit: 1 });
  return first?.key[1];
}

function remove(turn: AccountTurn, number: number, digest: string): void {
  turn.delete(withdrawalsByNumber, [turn.self.key, number]);
  turn.delete(withdrawals, [turn.self.key, digest]);
}

const digestCharacters = 22;

/** Ids may be 2 048 characters long, so a digest is stored. */
function digestOf(uri: string): string {
  return hash('sha256', uri, 'base64url').slice(0, digestCharacters);
}

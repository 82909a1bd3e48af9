/**
 * What turns of other features do with the history of sign-ins. Nothing of it outlives its time: the first entry sets a
 * timer, and the timer goes on to the next entry.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { isSameNetwork, keyOfAddress } from '../../policy/addresses.ts';
import { dayOf } from '../../session/session.messages.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { logins, profiles } from '../profile/profile.state.ts';
import { signInLimits } from './limits.ts';
import type { SignIn, SignInSource } from './sign-ins.records.ts';
import { accountsOfAddresses, formerEmails, signIns, usedAddresses } from './sign-ins.state.ts';

export function keepSignIn(turn: AccountTurn, said: BodyOf<typeof Account.signedIn>): void {
  if (!isThere(turn)) return;
  const { key } = turn.self;
  const { succeeded, address, until } = said;
  const alike = Array.from(turn.range(signIns, [key])).filter(({ value }) => value.succeeded === succeeded);
  if (!succeeded && isRepeated(turn, alike.at(-1)?.value, address)) return;
  setTimer(turn, until);
  const { signInsMax, failedSignInsMax } = signInLimits;
  const kept = succeeded ? signInsMax : failedSignInsMax;
  for (const { key: former } of alike.slice(0, Math.max(0, alike.length + 1 - kept))) turn.delete(signIns, former);
  turn.put(signIns, [key, turn.nextId()], { ...said, at: turn.now });
  if (!succeeded || address === undefined) return;
  const parts = keyOfAddress(address);
  if (said.way === 'password' && parts !== undefined && isNewPlace(turn, parts)) tellOfPlace(turn, said, address);
  keepAddress(turn, parts, until);
}

/** Nobody has used the account from there, and somebody has from elsewhere. */
function isNewPlace(turn: AccountTurn, parts: [bigint, bigint]): boolean {
  const known = Array.from(turn.range(usedAddresses, [turn.self.key]));
  return known.length > 0 && !known.some(({ key: [, first, second] }) => isSameNetwork([first, second], parts));
}

/** A message, because mail is a feature of the same floor. */
function tellOfPlace(turn: AccountTurn, { userAgent: browser = '' }: SignInSource, address: string): void {
  turn.tell(Account.mail.to(turn.self.key, { content: { kind: 'signedIn', address, browser } }));
}

function isRepeated(turn: AccountTurn, latest: SignIn | undefined, address: string | undefined): boolean {
  if (latest === undefined || latest.address !== address) return false;
  return latest.at > turn.now - signInLimits.failureMilliseconds;
}

export function useAddress(turn: AccountTurn, address: string, until: number): void {
  if (!isThere(turn)) return;
  const parts = keyOfAddress(address);
  const before = parts && turn.get(usedAddresses, [turn.self.key, ...parts]);
  if (before !== undefined && dayOf(before.usedAt) === dayOf(turn.now)) return;
  setTimer(turn, until);
  keepAddress(turn, parts, until);
}

function keepAddress(turn: AccountTurn, parts: [bigint, bigint] | undefined, until: number): void {
  const { key } = turn.self;
  if (parts === undefined) return;
  const before = turn.get(usedAddresses, [key, ...parts]);
  if (before === undefined) makeRoom(turn);
  turn.put(usedAddresses, [key, ...parts], { usedAt: turn.now, until });
  if (before === undefined) turn.put(accountsOfAddresses, [...parts, key], true);
}

function makeRoom(turn: AccountTurn): void {
  const used = Array.from(turn.range(usedAddresses, [turn.self.key]));
  if (used.length < signInLimits.addressesMax) return;
  const oldest = used.reduce((least, one) => (one.value.usedAt < least.value.usedAt ? one : least));
  forgetAddress(turn, oldest.key);
}

function forgetAddress(turn: AccountTurn, [account, ...parts]: [bigint, bigint, bigint]): void {
  turn.delete(usedAddresses, [account, ...parts]);
  turn.delete(accountsOfAddresses, [...parts, account]);
}

/** The account has another e-mail address from now on. */
export function keepFormerEmail(turn: AccountTurn, email: string): void {
  const { key } = turn.self;
  const { formerEmailsMax, formerEmailMilliseconds } = signInLimits;
  const until = turn.now + formerEmailMilliseconds;
  setTimer(turn, until);
  const former = Array.from(turn.range(formerEmails, [key]));
  for (const { key: earliest } of former.slice(0, Math.max(0, former.length + 1 - formerEmailsMax)))
    turn.delete(formerEmails, earliest);
  turn.put(formerEmails, [key, turn.nextId()], { email, at: turn.now, until });
}

/** Of an account that is removed. */
export function forgetAllSignIns(turn: AccountTurn): void {
  forget(turn, Number.POSITIVE_INFINITY);
}

export function forgetExpired(turn: AccountTurn): void {
  forget(turn, turn.now);
  const next = earliestEnd(turn);
  if (next !== undefined) turn.schedule(next, Account.forgetSignIns.to(turn.self.key, {}));
}

function forget(turn: AccountTurn, now: number): void {
  const scope = [turn.self.key];
  for (const { key, value } of [...turn.range(signIns, scope)]) if (value.until <= now) turn.delete(signIns, key);
  for (const { key, value } of [...turn.range(usedAddresses, scope)]) if (value.until <= now) forgetAddress(turn, key);
  for (const { key, value } of [...turn.range(formerEmails, scope)])
    if (value.until <= now) turn.delete(formerEmails, key);
}

/** There is a timer for the entry that goes first. */
function setTimer(turn: AccountTurn, until: number): void {
  const earliest = earliestEnd(turn);
  if (earliest !== undefined && earliest <= until) return;
  turn.schedule(until, Account.forgetSignIns.to(turn.self.key, {}));
}

function earliestEnd(turn: AccountTurn): number | undefined {
  let earliest: number | undefined;
  for (const space of [signIns, usedAddresses, formerEmails])
    for (const { value } of turn.range<readonly unknown[], { until: number }>(space, [turn.self.key]))
      earliest = Math.min(earliest ?? value.until, value.until);
  return earliest;
}

/** Nothing is kept of who tries to sign in to an account that is gone. */
function isThere(turn: AccountTurn): boolean {
  const { key } = turn.self;
  return turn.get(logins, [key]) !== undefined && turn.get(profiles, [key])?.dataRemovedAt === undefined;
}

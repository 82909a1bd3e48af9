/**
 * Registers local accounts: address, then name, then account. Each step runs on the one actor that owns what is taken,
 * so that of two simultaneous requests for a name or address exactly one succeeds:
 *
 *   email:… register      reserves the address
 *   acct:…  registerName  takes the name, or gives the address back
 *   account create        writes the account
 *   email:… emailTaken    leads to the account, so that it can be signed in to at once, and answers
 */
import type { BodyOf, DelegatedReply } from '../../runtime/contract.ts';
import { Account } from '../account/account.messages.ts';
import { Instance, instanceKey } from '../instance/instance.messages.ts';
import { Directory, nameOfHandle, type Registration } from './directory.messages.ts';
import { type DirectoryEntry, names } from './directory.state.ts';
import type { DirectoryTurn } from './directory.turn.ts';

/** Of accounts that wait for the confirmation of the same address; of the others only the mail leads to them. */
const pendingPerAddressMax = 5;

export function register(
  turn: DirectoryTurn,
  account: BodyOf<typeof Directory.register>,
): Registration | DelegatedReply {
  const entry = turn.get(names, [turn.self.key]);
  // Nobody is told whether an address that has to be confirmed is known here: its owner is, by mail.
  if (account.isEmailPending !== true) {
    if (isOwned(entry)) {
      giveBackInvite(turn, account);
      return { taken: 'email' };
    }
    turn.put(names, [turn.self.key], { ...entry, claim: account.username });
  }
  return turn.delegateReply(
    Directory.registerName.to(nameOfHandle(account.username, undefined), { account, emailName: turn.self.key }),
  );
}

/** The account's id is in the slot of its name, so that both are in one partition. */
export function registerName(
  turn: DirectoryTurn,
  { account, emailName }: BodyOf<typeof Directory.registerName>,
): Registration | DelegatedReply {
  if (turn.get(names, [turn.self.key]) !== undefined) {
    if (account.isEmailPending !== true)
      turn.tell(Directory.releaseEmail.to(emailName, { username: account.username }));
    giveBackInvite(turn, account);
    return { taken: 'username' };
  }
  const accountId = turn.nextId();
  turn.put(names, [turn.self.key], { accountId });
  return turn.delegateReply(Account.create.to(accountId, { ...account, emailName }));
}

function giveBackInvite(turn: DirectoryTurn, { inviteUse }: BodyOf<typeof Directory.register>): void {
  if (inviteUse !== undefined) turn.tell(Instance.inviteUnused.to(instanceKey, inviteUse));
}

export function releaseEmail(turn: DirectoryTurn, { username }: BodyOf<typeof Directory.releaseEmail>): undefined {
  const reserved = turn.get(names, [turn.self.key]);
  if (reserved?.accountId !== undefined || reserved?.claim !== username) return;
  keep(turn, { ...reserved, claim: undefined });
}

export function emailTaken(
  turn: DirectoryTurn,
  { accountId, isPending = false }: BodyOf<typeof Directory.emailTaken>,
): Registration {
  const entry = turn.get(names, [turn.self.key]);
  if (isPending) {
    const pendingIds = [...(entry?.pendingIds ?? []).filter((id) => id !== accountId), accountId];
    turn.put(names, [turn.self.key], { ...entry, pendingIds: pendingIds.slice(-pendingPerAddressMax) });
  } else turn.put(names, [turn.self.key], { ...entry, claim: undefined, accountId });
  return { accountId };
}

export function claimEmail(
  turn: DirectoryTurn,
  { accountId, ...claimed }: BodyOf<typeof Directory.claimEmail>,
): Registration | DelegatedReply {
  const entry = turn.get(names, [turn.self.key]);
  if (isOwned(entry) && entry?.accountId !== accountId) return { taken: 'email' };
  own(turn, entry, accountId);
  return turn.delegateReply(Account.emailClaimed.to(accountId, claimed));
}

export function grantEmail(turn: DirectoryTurn, { accountId }: BodyOf<typeof Directory.grantEmail>): undefined {
  const entry = turn.get(names, [turn.self.key]);
  if (!isOwned(entry)) own(turn, entry, accountId);
}

export function leaveEmail(turn: DirectoryTurn, { accountId }: BodyOf<typeof Directory.leaveEmail>): undefined {
  const entry = turn.get(names, [turn.self.key]);
  if (entry === undefined) return;
  const { pendingIds } = entry;
  if (entry.accountId === accountId) keep(turn, { ...entry, accountId: undefined });
  else if (pendingIds?.includes(accountId) === true)
    keep(turn, { ...entry, pendingIds: pendingIds.filter((id) => id !== accountId) });
}

export function leaveName(turn: DirectoryTurn, { accountId }: BodyOf<typeof Directory.leaveName>): undefined {
  if (turn.get(names, [turn.self.key])?.accountId === accountId) turn.delete(names, [turn.self.key]);
}

/** Whether somebody has the address, or is about to. */
function isOwned(entry: DirectoryEntry | undefined): boolean {
  return entry?.accountId !== undefined || entry?.claim !== undefined;
}

function own(turn: DirectoryTurn, entry: DirectoryEntry | undefined, accountId: bigint): void {
  const pendingIds = entry?.pendingIds?.filter((id) => id !== accountId);
  turn.put(names, [turn.self.key], { ...entry, accountId, pendingIds });
}

/** An entry that says nothing is none. */
function keep(turn: DirectoryTurn, entry: DirectoryEntry): void {
  if (isOwned(entry) || (entry.pendingIds ?? []).length > 0) turn.put(names, [turn.self.key], entry);
  else turn.delete(names, [turn.self.key]);
}

/** Remote accounts: an actor's URI has one account for ever, and its handle points to it. */
import type { HandedOn } from '../../runtime/contract.ts';
import { Account } from '../account/account.messages.ts';
import { countUsage } from '../usage.state.ts';
import { Directory, nameOfHandle, nameOfHost } from './directory.messages.ts';
import { knownHosts, names } from './directory.state.ts';
import type { BodyOf, DirectoryTurn } from './directory.turn.ts';

/** Finds or creates the account of this URI and hands its profile on. The id is of the slot of the URI. */
export function learn(turn: DirectoryTurn, { profile }: BodyOf<typeof Directory.learn>): HandedOn {
  const present = turn.get(names, [turn.self.key]);
  const accountId = present?.accountId ?? turn.nextId();
  const { domain } = profile;
  const handle = domain === undefined ? undefined : nameOfHandle(profile.username, domain);
  if (present === undefined || present.claim !== handle) {
    turn.put(names, [turn.self.key], { accountId, claim: handle });
    if (handle !== undefined) turn.tell(Directory.point.to(handle, { accountId }));
  }
  if (present === undefined && domain !== undefined)
    turn.tell(Directory.hostKnown.to(nameOfHost(domain), { host: domain }));
  return turn.handOn(Account.learn.to(accountId, { profile: { ...profile, id: accountId } }));
}

/** A handle may move to another actor of its server: the newest word counts. */
export function point(turn: DirectoryTurn, { accountId }: BodyOf<typeof Directory.point>): undefined {
  turn.put(names, [turn.self.key], { accountId });
}

export function hostKnown(turn: DirectoryTurn, { host }: BodyOf<typeof Directory.hostKnown>): undefined {
  if (turn.get(names, [turn.self.key]) !== undefined) return;
  turn.put(names, [turn.self.key], { claim: host });
  turn.put(knownHosts, [turn.nextId()], { host });
  countUsage(turn, { hosts: 1 });
}

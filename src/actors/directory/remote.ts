/** Remote accounts: an actor's URI is bound to one account for ever; the account decides which handle leads to it. */
import type { BodyOf, DelegatedReply } from '../../runtime/contract.ts';
import { Account } from '../account/account.messages.ts';
import { countUsage } from '../usage.state.ts';
import { Directory, nameOfHost } from './directory.messages.ts';
import { knownHosts, names } from './directory.state.ts';
import type { DirectoryTurn } from './directory.turn.ts';

/** Finds or creates the account of this URI and passes the profile to it. The id is in the slot of the URI. */
export function learn(turn: DirectoryTurn, { profile, signedAt }: BodyOf<typeof Directory.learn>): DelegatedReply {
  const known = turn.get(names, [turn.self.key])?.accountId;
  const accountId = known ?? turn.nextId();
  if (known === undefined) {
    turn.put(names, [turn.self.key], { accountId });
    const { domain } = profile;
    if (domain !== undefined) turn.tell(Directory.hostKnown.to(nameOfHost(domain), { host: domain }));
  }
  return turn.delegateReply(Account.learnProfile.to(accountId, { profile: { ...profile, id: accountId }, signedAt }));
}

/** A handle may move to another actor of its server: the latest assignment counts. */
export function point(turn: DirectoryTurn, { accountId }: BodyOf<typeof Directory.point>): undefined {
  turn.put(names, [turn.self.key], { accountId });
}

export function hostKnown(turn: DirectoryTurn, { host }: BodyOf<typeof Directory.hostKnown>): undefined {
  if (turn.get(names, [turn.self.key]) !== undefined) return;
  turn.put(names, [turn.self.key], {});
  turn.put(knownHosts, [turn.nextId()], { host });
  countUsage(turn, { hosts: 1 });
}

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
import { Directory, nameOfHandle, type Registration } from './directory.messages.ts';
import { names } from './directory.state.ts';
import type { DirectoryTurn } from './directory.turn.ts';

export function register(
  turn: DirectoryTurn,
  account: BodyOf<typeof Directory.register>,
): Registration | DelegatedReply {
  if (turn.get(names, [turn.self.key]) !== undefined) return { taken: 'email' };
  turn.put(names, [turn.self.key], { claim: account.username });
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
    turn.tell(Directory.releaseEmail.to(emailName, { username: account.username }));
    return { taken: 'username' };
  }
  const accountId = turn.nextId();
  turn.put(names, [turn.self.key], { accountId });
  return turn.delegateReply(Account.create.to(accountId, { ...account, emailName }));
}

export function releaseEmail(turn: DirectoryTurn, { username }: BodyOf<typeof Directory.releaseEmail>): undefined {
  const reserved = turn.get(names, [turn.self.key]);
  if (reserved?.accountId === undefined && reserved?.claim === username) turn.delete(names, [turn.self.key]);
}

export function emailTaken(turn: DirectoryTurn, { accountId }: BodyOf<typeof Directory.emailTaken>): Registration {
  turn.put(names, [turn.self.key], { accountId });
  return { accountId };
}

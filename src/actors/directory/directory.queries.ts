/** Reads of the directory. */
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { nameOfEmail } from './directory.messages.ts';
import { knownHosts, names } from './directory.state.ts';

/** The account of a name (`nameOfHandle`, `nameOfEmail`, a URI); undefined for an unknown or merely reserved one. */
export function accountIdOfName(reader: Reader, name: string): Id | undefined {
  return reader.get(names, [name])?.accountId;
}

/** Whether the name is taken or reserved. */
export function isNameTaken(reader: Reader, name: string): boolean {
  return reader.get(names, [name]) !== undefined;
}

/** Whether an account has confirmed the address, or one without a confirmation has it. */
export function ownerOfEmail(reader: Reader, email: string): Id | undefined {
  return accountIdOfName(reader, nameOfEmail(email));
}

/** Whether an account has the address, or is about to get it. */
export function isEmailTaken(reader: Reader, email: string): boolean {
  const entry = reader.get(names, [nameOfEmail(email)]);
  return entry?.accountId !== undefined || entry?.claim !== undefined;
}

/** The owner of the address, or the account that signed up with it last and has not confirmed it. */
export function accountIdOfEmail(reader: Reader, email: string): Id | undefined {
  const entry = reader.get(names, [nameOfEmail(email)]);
  return entry?.accountId ?? entry?.pendingIds?.at(-1);
}

export interface HostPage {
  readonly hosts: readonly string[];
  /** Where the next page of this partition begins; undefined after the last one. */
  readonly next: Id | undefined;
}

/** Known remote hosts of one partition, in the order in which they became known, from `from` on. */
export function knownHostsPage(partition: Reader, from: Id | undefined, limit: number): HostPage {
  const hosts: string[] = [];
  let last: Id | undefined;
  // Counted here: a limit of the range would count damaged entries, which it leaves out.
  for (const { key, value } of partition.range(knownHosts, [], { from: from ?? 0n })) {
    hosts.push(value.host);
    [last] = key;
    if (hosts.length === limit) break;
  }
  return { hosts, next: last === undefined || hosts.length < limit ? undefined : last + 1n };
}

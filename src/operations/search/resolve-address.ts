/**
 * The status, account or collection at a web address: a known one, or one fetched from its server where `resolve` is
 * given.
 */

import { z } from 'zod';
import { findStatus } from '../../actors/account/status-views.queries.ts';
import { statusIdOfUri } from '../../actors/account/statuses/statuses.queries.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Resolved, Services } from '../../services/services.ts';
import { type OperationContext, operation } from '../operation.ts';

/** How long a user waits for the other server. */
const resolveMilliseconds = 10_000;

const askForAddress = operation({
  input: z.object({ address: z.string() }),
  /** For accounts only: an anonymous request must not make this server contact others. */
  permission: 'resolve',
  run: ({ caller, services }, { address }): Promise<Resolved | undefined> =>
    services.resolver.resolveAddress(address, resolveMilliseconds, {
      cause: caller.cause,
      onBehalfOf: caller.accountId,
    }),
});

/**
 * `resolve`: fetches an unknown object from its server, where the caller may. Throws Failure remoteUnreachable where that
 * does not answer.
 */
export async function whatIsAt(
  { caller, services }: OperationContext,
  address: string,
  resolve: boolean,
): Promise<Resolved | undefined> {
  const known = knownAtAddress(services, address);
  const mayAsk = known === undefined && resolve && !services.addresses.isLocal(address);
  return mayAsk && caller.kind === 'account' ? askForAddress({ caller, services }, { address }) : known;
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.parse(text) !== null;
}

/** Without any request. A remote status is known by its ActivityPub id only, not by the address of its page. */
export function knownAtAddress({ snapshots, addresses }: Services, address: string): Resolved | undefined {
  const collectionId = addresses.collectionIdOf(address);
  if (collectionId !== undefined) return { collectionId };
  const local = addresses.statusOf(address);
  if (local !== undefined) return isStatusOf(snapshots, local) ? { statusId: local.id } : undefined;
  const username = addresses.usernameOf(address);
  const name = username === undefined ? (nameOfProfilePage(address) ?? address) : nameOfHandle(username, undefined);
  const accountId = accountIdOfName(snapshots, name) ?? accountIdOfName(snapshots, address);
  if (accountId !== undefined) return { accountId };
  const statusId = statusIdOfUri(snapshots, address);
  return statusId === undefined ? undefined : { statusId };
}

/** The user name in the address must be that of the author. */
function isStatusOf(snapshots: Services['snapshots'], { username, id }: { username: string; id: Id }): boolean {
  const author = findStatus(snapshots, id)?.author.profile;
  return author?.remote === undefined && author?.username.toLowerCase() === username.toLowerCase();
}

/** Profile pages have the same form on most servers: `https://host/@user`. */
function nameOfProfilePage(address: string): string | undefined {
  const { host, pathname } = URL.parse(address)!;
  const username = /^\/@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)$/.exec(pathname)?.[1];
  return username === undefined ? undefined : nameOfHandle(username, host);
}

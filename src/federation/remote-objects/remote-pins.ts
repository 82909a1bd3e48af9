/** Fetches what an account of another server has pinned: its featured collection, as its server shows it now. */
import { Account } from '../../actors/account/account.messages.ts';
import { pinLimits } from '../../actors/account/pins/limits.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Inbound } from '../activities/inbound.ts';
import { resolveStatus } from '../activities/resolve-status.ts';
import { isSameHost, referenceOf, valuesOf } from '../documents/values.ts';
import { fetchActivityDocument } from '../fetcher/fetch-activity-document.ts';
import type { Fetcher } from '../fetcher/fetcher.ts';
import { isJsonObject, type JsonObject } from '../fetcher/json.ts';
import type { RequestSigner } from '../signatures/types.ts';
import type { RemoteStatuses } from './remote-statuses.ts';

export interface RemotePinsOptions {
  readonly inbound: Inbound;
  readonly fetcher: Fetcher;
  readonly statuses: RemoteStatuses;
  readonly signer: () => Promise<RequestSigner>;
}

/** Never rejects: what its server does not answer today is asked for another day. */
export async function fetchPins({ inbound, fetcher, statuses, signer }: RemotePinsOptions, uri: string): Promise<void> {
  const { accounts, snapshots, client } = inbound;
  const account = accounts.find(uri);
  const featured = account === undefined ? undefined : findProfile(snapshots, account.id)?.remote?.featured;
  if (account === undefined || featured === undefined || !isSameHost(featured, uri)) return;
  const fetched = await fetchActivityDocument(fetcher, { url: featured, signer: await signer(), fresh: true });
  if (!fetched.ok) return;
  const source = statuses.source();
  const statusIds: Id[] = [];
  for (const address of addressesIn(fetched.document)) {
    if (!isSameHost(address, uri)) continue;
    const status = resolveStatus(inbound, address) ?? (await source.status(address).catch(onlyFailures));
    if (status?.authorId === account.id && !statusIds.includes(status.statusId)) statusIds.push(status.statusId);
  }
  await client.call(Account.receivePins.to(account.id, { statusIds }), flowOfHost(account.host)).catch(onlyFailures);
}

/** Mastodon shows whole statuses, others name them; some put them on a first page inside the collection. */
function addressesIn(collection: JsonObject): string[] {
  const { orderedItems, items, first } = collection;
  const page = isJsonObject(first) ? first : {};
  const members = orderedItems ?? items ?? page.orderedItems ?? page.items;
  return valuesOf(members, pinLimits.perRemoteAccountMax).flatMap((member) => referenceOf(member) ?? []);
}

function onlyFailures(error: unknown): undefined {
  if (error instanceof Failure) return undefined;
  throw error;
}

/**
 * Fetches what a remote account features: pinned statuses, and tags. Also whether it hides whom it follows and who
 * follows it: as in Mastodon, a collection without members and without a first page says so.
 */
import { Account } from '../../actors/account/account.messages.ts';
import { featuredTagLimits } from '../../actors/account/featured-tags/limits.ts';
import { pinLimits } from '../../actors/account/pins/limits.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { isJsonObject, type JsonObject } from '../../outbound/fetcher/json.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Inbound } from '../activities/inbound.ts';
import { resolveStatus } from '../activities/resolve-status.ts';
import { readHashtags } from '../documents/featured-tags.ts';
import { isSameHost, referenceOf, valuesOf } from '../documents/values.ts';
import { ignoreFailure } from '../failures.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import type { KnownAccount } from '../known-accounts.ts';
import type { SignerOf } from './fetch-signers.ts';
import type { RemoteStatuses } from './remote-statuses.ts';

const collectionTypes: ReadonlySet<unknown> = new Set(['Collection', 'OrderedCollection']);

export interface RemotePinsOptions {
  readonly inbound: Inbound;
  readonly fetcher: Fetcher;
  readonly statuses: RemoteStatuses;
  readonly signer: SignerOf;
  /** The traced request that asked for it. */
  readonly cause?: string | undefined;
}

/** Never rejects: after a failure they are fetched again another time. */
export async function fetchFeatured(options: RemotePinsOptions, uri: string): Promise<void> {
  const { accounts, snapshots } = options.inbound;
  const account = accounts.find(uri);
  const remote = account === undefined ? undefined : findProfile(snapshots, account.id)?.remote;
  if (account === undefined || remote === undefined) return;
  const pins = await collectionAt(options, remote.featured, uri);
  if (pins !== undefined) await takePins(options, account, pins);
  const tags = await collectionAt(options, remote.featuredTags, uri);
  if (tags !== undefined) await takeTags(options, account, tags);
  const lists = [
    await collectionAt(options, remote.followers, uri),
    await collectionAt(options, remote.following, uri),
  ];
  await takeHiding(options, account, lists);
}

async function collectionAt(
  { fetcher, signer }: RemotePinsOptions,
  url: string | undefined,
  uri: string,
): Promise<JsonObject | undefined> {
  if (url === undefined || !isSameHost(url, uri)) return undefined;
  const fetched = await fetchActivityDocument(fetcher, { url, signer: await signer(), fresh: true });
  return fetched.ok ? fetched.document : undefined;
}

async function takeTags(
  { inbound, cause }: RemotePinsOptions,
  { id, host }: KnownAccount,
  collection: JsonObject,
): Promise<void> {
  const tags = readHashtags(collection, featuredTagLimits.perRemoteAccountMax);
  await inbound.client
    .call(Account.receiveFeaturedTags.to(id, { tags }), traced(flowOfHost(host), cause))
    .catch(ignoreFailure);
}

/** Where neither hides and one is unknown, the last answer stays. */
async function takeHiding(
  { inbound, cause }: RemotePinsOptions,
  { id, host }: KnownAccount,
  lists: readonly (JsonObject | undefined)[],
): Promise<void> {
  const hideCollections = lists.some((list) => list !== undefined && isHidden(list));
  if (!hideCollections && lists.includes(undefined)) return;
  await inbound.client
    .call(Account.receiveHiding.to(id, { hideCollections }), traced(flowOfHost(host), cause))
    .catch(ignoreFailure);
}

function isHidden({ type, first, items, orderedItems }: JsonObject): boolean {
  return collectionTypes.has(type) && (first ?? items ?? orderedItems ?? undefined) === undefined;
}

async function takePins(
  { inbound, statuses, cause }: RemotePinsOptions,
  account: KnownAccount,
  collection: JsonObject,
): Promise<void> {
  const source = statuses.source({ cause });
  const statusIds: Id[] = [];
  for (const address of addressesIn(collection)) {
    if (!isSameHost(address, account.uri)) continue;
    const status = resolveStatus(inbound, address) ?? (await source.status(address).catch(ignoreFailure));
    if (status?.authorId === account.id && !statusIds.includes(status.statusId)) statusIds.push(status.statusId);
  }
  await inbound.client
    .call(Account.receivePins.to(account.id, { statusIds }), traced(flowOfHost(account.host), cause))
    .catch(ignoreFailure);
}

/** Mastodon embeds whole statuses, others give addresses; some put them on a first page inside the collection. */
function addressesIn(collection: JsonObject): string[] {
  const { orderedItems, items, first } = collection;
  const page = isJsonObject(first) ? first : {};
  const members = orderedItems ?? items ?? page.orderedItems ?? page.items;
  return valuesOf(members, pinLimits.perRemoteAccountMax).flatMap((member) => referenceOf(member) ?? []);
}

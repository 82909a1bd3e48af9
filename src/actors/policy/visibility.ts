/**
 * Who may see a status, and where it is listed (behaviour of the Mastodon API; specification section 5). Pure: results
 * depend on the given facts only.
 */
import type { Visibility } from '../account/account.records.ts';

/** Who a status is addressed to. */
export interface AddressedStatus {
  readonly accountId: bigint;
  readonly visibility: Visibility;
  readonly mentions: readonly { readonly id: bigint }[];
  /** Accounts that may see it although it does not mention them. */
  readonly addressed?: readonly bigint[] | undefined;
  /** It stays on this server: for people who are signed in here. */
  readonly localOnly?: boolean | undefined;
  /** It waits until somebody agrees to it. */
  readonly heldReply?: { readonly askedId?: bigint | undefined } | undefined;
}

/** Facts about a viewer, looked up only when needed, because most statuses are public. */
export interface Viewer {
  /** Undefined for a request without a user. */
  readonly accountId: bigint | undefined;
  follows(accountId: bigint): boolean;
  /** Blocked in either direction. */
  blocks(accountId: bigint): boolean;
  /** Blocked by the viewer. */
  hasBlocked(accountId: bigint): boolean;
  mutes(accountId: bigint): boolean;
  /** Whether the viewer hides all accounts of a domain; undefined stands for local accounts. */
  hidesDomain(domain: string | undefined): boolean;
}

export const anonymous: Viewer = {
  accountId: undefined,
  follows: () => false,
  blocks: () => false,
  hasBlocked: () => false,
  mutes: () => false,
  hidesDomain: () => false,
};

/** Whether a viewer hides statuses of others because they mention, or answer, this account. */
export function hidesNaming(viewer: Pick<Viewer, 'hasBlocked' | 'mutes'>, accountId: bigint): boolean {
  return viewer.mutes(accountId) || viewer.hasBlocked(accountId);
}

/** Whether anybody anywhere may read it: it is public or unlisted, and does not stay on this server. */
export function isForEverybody(status: Pick<AddressedStatus, 'visibility' | 'localOnly'>): boolean {
  return status.localOnly !== true && isForEverybodyHere(status);
}

/** Whether it is public or unlisted for people of this server. */
export function isForEverybodyHere({ visibility }: Pick<AddressedStatus, 'visibility'>): boolean {
  return visibility === 'public' || visibility === 'unlisted';
}

/** The visibility that is shown: a chosen audience counts as private (behaviour of the Mastodon API). */
export function shownVisibility({ visibility, limited }: { visibility: Visibility; limited?: boolean | undefined }) {
  return limited === true ? 'private' : visibility;
}

/**
 * Whether this viewer may read the status. Accounts of other servers are not asked about one that stays here: for them it
 * does not exist (federation/activities/resolve-status.ts, gateway/activitypub/find.ts).
 */
export function maySee(status: AddressedStatus, viewer: Viewer): boolean {
  const { accountId } = viewer;
  if (accountId === undefined) return isForEverybody(status);
  if (accountId === status.accountId) return true;
  if (viewer.blocks(status.accountId)) return false;
  if (status.heldReply !== undefined) return accountId === status.heldReply.askedId;
  if (isForEverybodyHere(status)) return true;
  if (status.mentions.some((mention) => mention.id === accountId)) return true;
  if (status.addressed?.includes(accountId) === true) return true;
  return status.visibility === 'private' && viewer.follows(status.accountId);
}

export interface ListingFacts {
  readonly accountId: bigint;
  readonly visibility: Visibility;
  readonly reblogOfId?: bigint | undefined;
  readonly inReplyToAccountId?: bigint | undefined;
  /** It answers a status that is not known here, perhaps of its own author (behaviour of the Mastodon API). */
  readonly answersUnknown?: boolean | undefined;
  readonly localOnly?: boolean | undefined;
  /** Where its author wrote it: it is on the profile, and in no timeline that others read for what is new. */
  readonly importedFrom?: string | undefined;
}

/** Whether it answers somebody else. */
export function repliesToOther(
  { inReplyToAccountId, answersUnknown }: Pick<ListingFacts, 'inReplyToAccountId' | 'answersUnknown'>,
  accountId: bigint,
): boolean {
  return answersUnknown === true || (inReplyToAccountId !== undefined && inReplyToAccountId !== accountId);
}

/** Whether it is in the public and local timelines. Replies to others, reblogs and what was imported are not. */
export function isInPublicTimeline(status: ListingFacts): boolean {
  return isInTagTimelines(status) && !repliesToOther(status, status.accountId);
}

/** Whether it is in the timelines of its tags. */
export function isInTagTimelines({ visibility, reblogOfId, importedFrom }: ListingFacts): boolean {
  return visibility === 'public' && reblogOfId === undefined && importedFrom === undefined;
}

/** Whether it is for all followers of its author. A direct status is only for the accounts it mentions. */
export function reachesFollowers(status: ListingFacts): boolean {
  return status.visibility !== 'direct';
}

/** To whom what an account does with its status is delivered, besides those whom it names: relays get what is public. */
export function reachOf(status: ListingFacts): { readonly toFollowers: boolean; readonly toRelays: boolean } {
  return { toFollowers: reachesFollowers(status), toRelays: status.visibility === 'public' };
}

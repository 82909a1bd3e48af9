/**
 * Who may see a status, and where it is listed (behaviour of the Mastodon API; specification section 5). Pure
 * questions: the answers depend on the facts given and on nothing else.
 */
import type { Visibility } from '../account/account.records.ts';

/** Whom a status is addressed to. */
export interface AddressedStatus {
  readonly accountId: bigint;
  readonly visibility: Visibility;
  readonly mentions: readonly { readonly id: bigint }[];
}

/** What is known of a viewer; asked lazily, because most statuses are public. */
export interface Viewer {
  /** Undefined for a request without a user. */
  readonly accountId: bigint | undefined;
  follows(accountId: bigint): boolean;
  /** Blocked in either direction. */
  blocks(accountId: bigint): boolean;
  mutes(accountId: bigint): boolean;
  /** Hides all accounts of a domain; undefined is that of local ones. */
  hidesDomain(domain: string | undefined): boolean;
}

export const anonymous: Viewer = {
  accountId: undefined,
  follows: () => false,
  blocks: () => false,
  mutes: () => false,
  hidesDomain: () => false,
};

/** May everybody read it who comes upon it? */
export function isForEverybody({ visibility }: Pick<AddressedStatus, 'visibility'>): boolean {
  return visibility === 'public' || visibility === 'unlisted';
}

/** May this viewer read the status at its own address? */
export function maySee(status: AddressedStatus, viewer: Viewer): boolean {
  const { accountId } = viewer;
  if (accountId === undefined) return isForEverybody(status);
  if (accountId === status.accountId) return true;
  if (viewer.blocks(status.accountId)) return false;
  if (isForEverybody(status)) return true;
  if (status.mentions.some((mention) => mention.id === accountId)) return true;
  return status.visibility === 'private' && viewer.follows(status.accountId);
}

export interface ListingFacts {
  readonly accountId: bigint;
  readonly visibility: Visibility;
  readonly reblogOfId?: bigint | undefined;
  readonly inReplyToAccountId?: bigint | undefined;
}

/** Does it stand in the public and local timelines? Replies to others and reblogs do not. */
export function isInPublicTimeline(status: ListingFacts): boolean {
  const repliesToOther = status.inReplyToAccountId !== undefined && status.inReplyToAccountId !== status.accountId;
  return status.visibility === 'public' && status.reblogOfId === undefined && !repliesToOther;
}

/** Does it stand in the timelines of its tags? */
export function isInTagTimelines(status: ListingFacts): boolean {
  return status.visibility === 'public' && status.reblogOfId === undefined;
}

/** Is it for all followers of its author? A direct status is only for those that it mentions. */
export function reachesFollowers(status: ListingFacts): boolean {
  return status.visibility !== 'direct';
}

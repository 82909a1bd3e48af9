/**
 * The account that a page names as its author, on the card of a link. Decided when it is shown: the account may list or
 * unlist the host of the page at any time (`attributionDomains`).
 */
import type { Card } from '../../actors/account/cards/cards.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { mayAttribute } from '../../actors/policy/attribution.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Reader } from '../../runtime/storage/reader.ts';

export interface CardAuthor {
  /** Undefined where the account does not let the host name it, and for viewers who are not shown the account. */
  readonly accountId: Id | undefined;
  /** To the account itself: the page names it, and it does not list the host. */
  readonly isMissing: boolean;
}

const unknownAuthor: CardAuthor = { accountId: undefined, isMissing: false };

/** Whom the page names, whether the account lets it or not. */
export function namedBy({ authorId, claimedAuthorId }: Card): Id | undefined {
  return authorId ?? claimedAuthorId;
}

export function authorOfCard(reader: Reader, card: Card, viewer: Pick<Viewer, 'accountId' | 'blocks'>): CardAuthor {
  const accountId = namedBy(card);
  const profile = accountId === undefined ? undefined : findProfile(reader, accountId);
  if (accountId === undefined || profile === undefined || profile.suspendedAt !== undefined) return unknownAuthor;
  const isOwn = accountId === viewer.accountId;
  if (!mayAttribute(profile.attributionDomains, card.url)) return { accountId: undefined, isMissing: isOwn };
  return isOwn || !viewer.blocks(accountId) ? { accountId, isMissing: false } : unknownAuthor;
}

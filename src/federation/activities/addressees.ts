/** The local and known remote accounts that a remote status mentions or is addressed to. */

import type { Visibility } from '../../actors/account/account.records.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import type { Mention } from '../../actors/account/statuses/statuses.records.ts';
import { isForEverybody } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';
import { type Audience, visibilityOf } from '../documents/audience.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { isFollowersOf, type KnownAccount } from '../known-accounts.ts';
import type { Inbound } from './inbound.ts';

export interface Addressees {
  readonly visibility: Visibility;
  readonly mentions: Mention[];
  /** Local accounts that may see it although it does not mention them. */
  readonly addressed: Id[];
  /** Direct, and no private mention (decision 47). */
  readonly isLimited: boolean;
  /** Local accounts to notify. */
  readonly localMentions: Id[];
  /** Whether it mentions or addresses a local account. */
  readonly concernsLocal: boolean;
}

/**
 * Accounts that are mentioned but not addressed are not notified. Accounts that are addressed but not mentioned may see
 * a status that is not public; they are notified only of a direct one that would otherwise appear nowhere. `recipient`:
 * the owner of the inbox to which it came.
 */
export function addresseesOf(
  inbound: Inbound,
  note: RemoteNote,
  author: KnownAccount,
  recipient?: KnownAccount,
): Addressees {
  const visibility = visibilityOf(note, (name) => isFollowersOf(author, name));
  const { mentions, localMentions, untagged, concernsLocal } = namedBy(inbound, note);
  const addressed: Id[] = [];
  if (isForEverybody({ visibility }))
    return { visibility, mentions, addressed, isLimited: false, localMentions, concernsLocal };
  const isDirect = visibility === 'direct';
  const isMessage = isDirect && isPrivateMessage(note, untagged);
  const isLimited = isDirect && !isMessage && (untagged.length > 0 || mentions.length === 0);
  const silent = isMessage ? [] : untagged;
  if (isMessage)
    for (const account of untagged) {
      mentions.push(account.mention);
      localMentions.push(account.id);
    }
  if (recipient !== undefined && !isAmong(mentions, recipient.id) && isUnnamed(inbound, note, author, recipient))
    silent.push(recipient);
  for (const account of silent) {
    addressed.push(account.id);
    if (isDirect && !follows(inbound, account, author)) localMentions.push(account.id);
  }
  return {
    ...{ visibility, mentions, addressed, isLimited, localMentions },
    concernsLocal: concernsLocal || silent.length > 0,
  };
}

/**
 * Whether only the inbox to which it came shows that it is for this account, as with `bcc`. Followers of the author have
 * what is private without being named.
 */
export function isUnnamed(
  inbound: Inbound,
  audience: Audience,
  author: KnownAccount,
  recipient: KnownAccount,
): boolean {
  const { accounts, addresses } = inbound;
  const visibility = visibilityOf(audience, (name) => isFollowersOf(author, name));
  if (isForEverybody({ visibility })) return false;
  const names = (name: string) => addresses.isLocal(name) && accounts.find(name)?.id === recipient.id;
  if (audience.to.some(names) || audience.cc.some(names)) return false;
  return !(visibility === 'private' && follows(inbound, recipient, author));
}

/** Whom it mentions, and the local accounts that it is addressed to without mentioning them. */
function namedBy({ accounts, addresses }: Inbound, note: RemoteNote) {
  const mentions: Mention[] = [];
  const localMentions: Id[] = [];
  const untagged: KnownAccount[] = [];
  let concernsLocal = false;
  for (const { href } of note.mentions) {
    const account = accounts.find(href);
    if (account === undefined || isAmong(mentions, account.id)) continue;
    mentions.push(account.mention);
    if (!account.isLocal) continue;
    concernsLocal = true;
    if (isAddressed(note, href) || isAddressed(note, account.uri)) localMentions.push(account.id);
  }
  for (const list of [note.to, note.cc]) {
    for (const name of list) {
      const account = addresses.isLocal(name) ? accounts.find(name) : undefined;
      if (account === undefined) continue;
      concernsLocal = true;
      if (!isAmong(mentions, account.id) && !isAmong(untagged, account.id)) untagged.push(account);
    }
  }
  return { mentions, localMentions, untagged, concernsLocal };
}

/** It says so itself, or is for one account alone: few servers forget to mention the recipient of a message. */
function isPrivateMessage({ isDirectMessage, to, cc }: RemoteNote, untagged: readonly KnownAccount[]): boolean {
  return isDirectMessage || (untagged.length === 1 && to.length + cc.length === 1);
}

function follows({ snapshots, now }: Inbound, account: KnownAccount, author: KnownAccount): boolean {
  return viewerOf(snapshots, account.id, now()).follows(author.id);
}

function isAmong(some: readonly { readonly id: Id }[], id: Id): boolean {
  return some.some((one) => one.id === id);
}

function isAddressed(note: RemoteNote, name: string): boolean {
  return note.to.includes(name) || note.cc.includes(name);
}

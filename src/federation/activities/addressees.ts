/** The local and known remote accounts that a remote status mentions or is addressed to. */

import type { Visibility } from '../../actors/account/account.records.ts';
import type { Mention } from '../../actors/account/statuses/statuses.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { visibilityOf } from '../documents/audience.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import { isFollowersOf, type KnownAccount } from '../known-accounts.ts';
import type { Inbound } from './inbound.ts';

export interface Addressees {
  readonly visibility: Visibility;
  readonly mentions: Mention[];
  /** Local accounts to notify. */
  readonly localMentions: Id[];
  /** Whether it mentions or addresses a local account. */
  readonly concernsLocal: boolean;
}

/**
 * Accounts that are mentioned but not addressed are not notified. Accounts that are addressed but not mentioned may see
 * a status that is not public, and are notified of it only where it would otherwise not appear.
 */
export function addresseesOf(inbound: Inbound, note: RemoteNote, author: KnownAccount): Addressees {
  const { accounts, addresses } = inbound;
  const visibility = visibilityOf(note, (name) => isFollowersOf(author, name));
  const mentions: Mention[] = [];
  const localMentions: Id[] = [];
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
      if (visibility === 'public' || visibility === 'unlisted' || isAmong(mentions, account.id)) continue;
      mentions.push(account.mention);
      if (visibility === 'direct') localMentions.push(account.id);
    }
  }
  return { visibility, mentions, localMentions, concernsLocal };
}

function isAmong(mentions: readonly Mention[], id: Id): boolean {
  return mentions.some((mention) => mention.id === id);
}

function isAddressed(note: RemoteNote, name: string): boolean {
  return note.to.includes(name) || note.cc.includes(name);
}

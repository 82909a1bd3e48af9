/** Addresses for a visitor: pages of remote accounts and posts are shown here to signed-in visitors only. */

import { type LocalAccount, loginStateOf } from '../../../actors/account/profile/logins.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import type { StatusView } from '../../../actors/account/status-views.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Visit } from '../visit.ts';

const webAddress = /^https?:\/\//i;

/** `user` for local accounts, `user@host` for remote ones. */
export function handleOf({ username, domain }: Profile): string {
  return domain === undefined ? username : `${username}@${domain}`;
}

export function accountPath(visit: Visit, profile: Profile): string {
  if (profile.remote === undefined || visit.account !== undefined) return `/@${handleOf(profile)}`;
  return elsewhere(profile.remote.url) ?? `/@${handleOf(profile)}`;
}

export function statusPath(visit: Visit, { status, author }: StatusView): string {
  const here = pathOfStatus(author.profile, status.id);
  if (author.profile.remote === undefined || visit.account !== undefined) return here;
  return elsewhere(status.url ?? status.uri) ?? here;
}

export function pathOfStatus(author: Profile, id: Id): string {
  return `/@${handleOf(author)}/${id}`;
}

/** What hiding a server would end, by its parameter `domain`. */
export const hidingPath = '/domain_blocks/new';

/** The path prefix of buttons about another server. */
export function serverPath(domain: string): string {
  return `/web/servers/${encodeURIComponent(domain)}`;
}

/** Only addresses that browsers open as pages. */
export function elsewhere(address: string | undefined): string | undefined {
  return address !== undefined && webAddress.test(address) ? address : undefined;
}

/** The posts with a link that trends. */
export function linkPagePath(url: string): string {
  return `/public/link?url=${encodeURIComponent(url)}`;
}

/** Where an account sees what staff have decided about it, also one that may see nothing else. */
export const strikesPath = '/disputes/strikes';

/** Where an account is deleted by its owner, or kept after all. */
export const deletionPath = '/settings/delete';

/** The page of an account that may see nothing else. */
export function pathOfBarred(account: LocalAccount): string {
  return loginStateOf(account) === 'leaving' ? deletionPath : strikesPath;
}

/** The sign-in page, which returns to this page. */
export function signInPath(visit: Visit): string {
  return `/auth/sign_in?return_to=${encodeURIComponent(visit.address)}`;
}

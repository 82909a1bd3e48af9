/** Where things are for a visitor: people and posts of other servers are shown here only to those who are signed in. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import type { StatusView } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Visit } from '../visit.ts';

const webAddress = /^https?:\/\//i;

/** `user` here, `user@host` elsewhere. */
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

/** What the buttons about another server begin with. */
export function serverPath(domain: string): string {
  return `/web/servers/${encodeURIComponent(domain)}`;
}

/** Only what a browser opens as a page. */
export function elsewhere(address: string | undefined): string | undefined {
  return address !== undefined && webAddress.test(address) ? address : undefined;
}

/** The page where this visitor goes on after signing in. */
export function signInPath(visit: Visit): string {
  return `/auth/sign_in?return_to=${encodeURIComponent(visit.address)}`;
}

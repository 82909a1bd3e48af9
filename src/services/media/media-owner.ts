/** Whose a file is: media of a server may be rejected wherever its files are (actors/policy/domains.ts). */
import type { Profile } from '../../actors/account/profile/profile.records.ts';

/** The account that shows a file; without a domain for one of this server, and for what no account shows. */
export type MediaOwner = Pick<Profile, 'domain' | 'remote'>;

const none: readonly string[] = [];

/** The hosts[:port] by which the server of the owner is known: that of its handle, and that of its actor. */
export function serversOf({ domain, remote }: MediaOwner): readonly string[] {
  if (domain === undefined) return none;
  if (remote === undefined || remote.uri.startsWith(`https://${domain}/`)) return [domain];
  const actorHost = URL.parse(remote.uri)?.host;
  return actorHost === undefined || actorHost === domain ? [domain] : [domain, actorHost];
}

/** Those of the servers whose rules do not apply to the host of the file: it is neither theirs nor below it. */
export function serversBeside(fileHost: string, servers: readonly string[]): readonly string[] {
  return servers.filter((server) => fileHost !== server && !fileHost.endsWith(`.${server}`));
}

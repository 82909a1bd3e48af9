/**
 * Finds the accounts that a text mentions: known ones by query, unknown remote ones at their servers within a deadline.
 */

import { destinationOf } from '../../actors/account/profile/profiles.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { Mention } from '../../actors/account/statuses/statuses.records.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import type { Destination } from '../../actors/intents.ts';
import type { MentionedAccount } from '../../actors/text/render.ts';
import type { TextToken } from '../../actors/text/tokens.ts';
import { activityPubOf } from '../../federation/activitypub.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

export interface FoundMention {
  readonly mention: Mention;
  /** Of remote accounts. */
  readonly destination?: Destination;
}

/** How long a post waits for the servers of unknown mentions; those not found by then stay text. */
const resolveMilliseconds = 2_000;

/**
 * The distinct handles in the tokens of a text, as the renderer uses them. The length of the text bounds their number.
 */
export function handlesOf(tokens: readonly TextToken[]): string[] {
  const handles = new Set<string>();
  for (const token of tokens) if (token.kind === 'mention') handles.add(token.handle);
  return [...handles];
}

/** The accounts of handles. Synchronous when all are known here. `cause` is the traced request that names them. */
export function findMentions(
  services: Services,
  handles: readonly string[],
  cause?: string,
): Map<string, FoundMention> | Promise<Map<string, FoundMention>> {
  const found = knownMentions(services, handles);
  const unknown = handles.filter((handle) => !found.has(handle) && isRemote(services, handle));
  if (unknown.length === 0) return found;
  return services.resolver.resolveHandles(unknown, resolveMilliseconds, cause).then((resolved) => {
    for (const [handle, accountId] of resolved) {
      const mention = mentionOf(services, accountId);
      if (mention !== undefined) found.set(handle, mention);
    }
    return found;
  });
}

/** Those that are known here: no other server is asked. */
export function knownMentions(services: Services, handles: readonly string[]): Map<string, FoundMention> {
  const found = new Map<string, FoundMention>();
  for (const handle of handles) {
    const mention = isRemote(services, handle) ? remoteMention(services, handle) : localMention(services, handle);
    if (mention !== undefined) found.set(handle, mention);
  }
  return found;
}

/** Each account once, in order: several handles may lead to one. */
export function distinctMentions(found: readonly FoundMention[]): FoundMention[] {
  if (found.length < 2) return [...found];
  return [...new Map(found.map((one) => [one.mention.id, one])).values()];
}

/** In the form that the renderer needs. */
export function renderedMentions(found: ReadonlyMap<string, FoundMention>): Map<string, MentionedAccount> {
  return new Map([...found].map(([handle, { mention }]) => [handle, mention]));
}

/** Mostly from memory: the same accounts are mentioned again and again. */
function localMention(services: Services, handle: string): FoundMention | undefined {
  const account = activityPubOf(services).accounts.ofUsername(handle.split('@')[0]!);
  return account === undefined || account.isSuspended ? undefined : { mention: account.mention };
}

function remoteMention(services: Services, handle: string): FoundMention | undefined {
  const [username, domain] = handle.split('@') as [string, string];
  const accountId = accountIdOfName(services.snapshots, nameOfHandle(username, domain));
  return accountId === undefined ? undefined : mentionOf(services, accountId);
}

function isRemote(services: Services, handle: string): boolean {
  const domain = handle.split('@')[1];
  return domain !== undefined && !services.addresses.isOwnHost(domain);
}

function mentionOf(services: Services, accountId: Id): FoundMention | undefined {
  const profile = findProfile(services.snapshots, accountId);
  if (profile === undefined || profile.suspendedAt !== undefined) return undefined;
  const acct = profile.domain === undefined ? profile.username : `${profile.username}@${profile.domain}`;
  const url = profile.remote?.url ?? services.addresses.profilePath(profile.username);
  const mention = { id: accountId, username: profile.username, acct, url };
  const destination = destinationOf(profile);
  return destination === undefined ? { mention } : { mention, destination };
}

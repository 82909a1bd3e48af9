/** What the public counters of accounts and of the server include. */
import type { Visibility } from '../account/account.records.ts';
import type { Login, Profile } from '../account/profile/profile.records.ts';

/** Whether nothing more is needed for signing in for the first time: neither staff nor the owner of the address. */
export function isAdmitted({ confirmed, approved }: Pick<Login, 'confirmed' | 'approved'>): boolean {
  return confirmed && approved;
}

/** Whether the statistics count the account (NodeInfo: registered users). */
export function isUser(
  { suspendedAt }: Pick<Profile, 'id' | 'suspendedAt'>,
  login: Pick<Login, 'confirmed' | 'approved'>,
): boolean {
  return isAdmitted(login) && suspendedAt === undefined;
}

/**
 * Whether the account's number of statuses, which every server may know, includes it: a direct one would reveal when
 * somebody writes in private, and one that stays on this server is for no other.
 */
export function isCounted({ visibility, localOnly }: Pick<PostFacts, 'visibility' | 'localOnly'>): boolean {
  return visibility !== 'direct' && localOnly !== true;
}

/** Whether everybody may know that it is a reply. */
export function isCountedReply(visibility: Visibility | undefined): boolean {
  return visibility !== 'private' && visibility !== 'direct';
}

interface PostFacts {
  readonly local: boolean;
  readonly visibility: Visibility;
  readonly reblogOfId?: bigint | undefined;
  /** It stays on this server. */
  readonly localOnly?: boolean | undefined;
}

/** Whether the weekly activity counts it (specification 2.7: private statuses are excluded). */
export function isInActivity(facts: PostFacts): boolean {
  return isLocalPost(facts) && (facts.visibility === 'public' || facts.visibility === 'unlisted');
}

/** Whether it is a post of this server (specification 2.2: "made by users registered on this server"), for any readers but those of this server alone. */
export function isLocalPost(facts: Pick<PostFacts, 'local' | 'reblogOfId' | 'localOnly'>): boolean {
  return facts.local && facts.reblogOfId === undefined && facts.localOnly !== true;
}

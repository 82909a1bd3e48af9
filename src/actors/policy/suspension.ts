/**
 * What is decided about how an account is shown: by staff, by a rule for its server, or by its server itself. A decision of
 * staff is final, one of the account's server may end any day, and a rule that is taken back takes back its own effect only.
 * Pure.
 */
import type { Profile } from '../account/profile/profile.records.ts';

/** How long what a suspended account left here is kept, so that the suspension can be undone (as in Mastodon). */
export const suspendedDataMilliseconds = 30 * 24 * 60 * 60 * 1000;

/** True if this server suspended the account, not the account's own server. */
export function isSuspendedHere({
  suspendedAt,
  isSuspendedByOrigin,
  byDomain,
}: Pick<Profile, 'suspendedAt' | 'isSuspendedByOrigin' | 'byDomain'>): boolean {
  return suspendedAt !== undefined && (isSuspendedByOrigin !== true || byDomain?.severity === 'suspend');
}

/** What staff decide about a single account. Undefined fields stay. */
export interface Standing {
  readonly suspended?: boolean | undefined;
  readonly limited?: boolean | undefined;
  readonly sensitized?: boolean | undefined;
}

/** The profile with another standing, below the rule for its server. */
export function withStanding(profile: Profile, { suspended, limited, sensitized }: Standing, now: number): Profile {
  const own = withoutDomainRule(profile);
  const changed: Profile = { ...own, limited: limited ?? own.limited };
  if (sensitized !== undefined) changed.sensitized = sensitized || undefined;
  if (suspended !== undefined) {
    changed.suspendedAt = suspended ? (own.suspendedAt ?? now) : undefined;
    changed.isSuspendedByOrigin = undefined;
    changed.dataKeptUntil = suspended ? (own.dataKeptUntil ?? now + suspendedDataMilliseconds) : undefined;
    if (own.dataRemovedAt !== undefined) changed.dataKeptUntil = undefined;
  }
  return withDomainRule(changed, profile.byDomain?.severity ?? 'noop', now);
}

/**
 * The profile of an account whose server staff have purged: hidden until its server shows it again, unless that was decided
 * for good before.
 */
export function asPurged(profile: Profile, now: number): Profile {
  const own = withoutDomainRule(profile);
  const isFinal = own.suspendedAt !== undefined && own.isSuspendedByOrigin !== true;
  const hidden = isFinal ? {} : { suspendedAt: own.suspendedAt ?? now, isSuspendedByOrigin: true };
  const purged = { ...own, ...hidden, purgedAt: now, fetchedAt: undefined };
  return withDomainRule(purged, profile.byDomain?.severity ?? 'noop', now);
}

/** `profile` without a rule for its server. */
export function withDomainRule(profile: Profile, severity: 'noop' | 'silence' | 'suspend', now: number): Profile {
  if (severity === 'noop') return profile;
  const { suspendedAt, limited } = profile;
  return {
    ...profile,
    suspendedAt: severity === 'suspend' ? (suspendedAt ?? now) : suspendedAt,
    limited: limited || severity === 'silence',
    byDomain: { severity, wasSuspendedAt: suspendedAt, wasLimited: limited },
  };
}

/** A deleted account stays suspended, whatever it was before. */
export function withoutDomainRule(profile: Profile): Profile {
  const { suspendedAt, limited, byDomain, deletedRemotelyAt } = profile;
  if (byDomain === undefined) return profile;
  const isReleased = byDomain.severity === 'suspend' && deletedRemotelyAt === undefined;
  return {
    ...profile,
    suspendedAt: isReleased ? byDomain.wasSuspendedAt : suspendedAt,
    limited: byDomain.severity === 'silence' ? byDomain.wasLimited : limited,
    byDomain: undefined,
  };
}

/** The entries of an account in the indexes by which staff find it. Pure. */
import type { Id } from '../../runtime/ids.ts';
import { startOfText } from '../../runtime/storage/keyspace.ts';
import type { Login, Profile } from '../account/profile/profile.records.ts';
import { type Beginning, beginningsOf } from '../account-lists.state.ts';

/** `active` and `suspended` exclude each other: together they are all accounts. */
export const accountStandings = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'] as const;
export type AccountStanding = (typeof accountStandings)[number];

export const accountOrigins = ['local', 'remote'] as const;
export type AccountOrigin = (typeof accountOrigins)[number];

export function nameOfList(origin: AccountOrigin, standing: AccountStanding): string {
  return `${origin} ${standing}`;
}

/** Accounts that their server deleted, and sign-ups that were rejected, are on no list. */
function standingsOf(profile: Profile, login: Login | undefined): AccountStanding[] {
  if (profile.deletedRemotelyAt !== undefined) return [];
  const isSuspended = profile.suspendedAt !== undefined;
  const is = {
    active: !isSuspended,
    pending: login?.approved === false,
    disabled: login?.disabled === true && !isSuspended,
    silenced: profile.limited,
    suspended: isSuspended,
    sensitized: profile.sensitized === true,
  };
  return accountStandings.filter((standing) => is[standing]);
}

function originOf({ remote }: Pick<Profile, 'remote'>): AccountOrigin {
  return remote === undefined ? 'local' : 'remote';
}

/** Of the accounts that somebody has invited. */
export function nameOfInvited(creatorId: Id): string {
  return `invited by ${creatorId}`;
}

export function listsOf(profile: Profile, login: Login | undefined): string[] {
  const lists = standingsOf(profile, login).map((standing) => nameOfList(originOf(profile), standing));
  const creatorId = login?.invitation?.creatorId;
  return lists.length === 0 || creatorId === undefined ? lists : [...lists, nameOfInvited(creatorId)];
}

/** As staff type and compare them. */
export function comparableName(name: string): string {
  return name.toLowerCase();
}

export function startsOf(profile: Profile, login: Login | undefined): (readonly [Beginning, string])[] {
  if (profile.deletedRemotelyAt !== undefined) return [];
  const texts = { username: profile.username, displayName: profile.displayName, email: login?.email ?? '' };
  return (Object.keys(beginningsOf) as Beginning[])
    .map((what) => [what, startOfText(comparableName(texts[what]))] as const)
    .filter(([, start]) => start !== '');
}

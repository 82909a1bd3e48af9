/**
 * Who may see what, said once more in a few lines and without the server: the statuses of two authors, and people who
 * stand to them in every way that there is. Relations came after the statuses, so that lists made before still name them.
 */

import type { Visibility } from '../../../src/actors/account/account.records.ts';

/** `author` lives here; `far` on another server. */
export type Author = 'author' | 'far';

/**
 * The followers of both authors before anything else happened are all but `stranger`, `staff` and
 * `filtering`, whose policy filters notifications of those whom it does not follow. Then the authors blocked
 * `blocked`, `blocking` blocked the authors, `muting` muted them, and `hiding` hid the domain of the far one. `staff` and
 * those who fell out follow the tag of all secrets.
 */
export const people = [
  'author',
  'stranger',
  'staff',
  'filtering',
  'follower',
  'blocked',
  'blocking',
  'muting',
  'hiding',
] as const;
export const tagFollowers = ['staff', 'blocked', 'blocking', 'muting', 'hiding'] as const;
export type Name = (typeof people)[number];
/** `nobody`: without a token. */
export type Viewer = Name | 'nobody';
export const viewers: readonly Viewer[] = ['nobody', ...people];

export interface Secret {
  /** Stands in its text, in its warning and in its poll, and nowhere else. */
  readonly word: string;
  readonly id: string;
  readonly uri: string;
  readonly author: Author;
  /** `limited`: of the far author, for those whom it is addressed to. */
  readonly visibility: Visibility | 'limited';
  /** Whether it mentions everybody, or nobody; a limited one is addressed to them instead. */
  readonly mentions: boolean;
  /** The id of the reblog by somebody whom all followers follow as well; only of what is for everybody. */
  readonly reblogId: string | undefined;
}

const isOwn = (viewer: Viewer, { author }: Secret) => viewer === author;
export const followedOnce = (viewer: Viewer) =>
  !['nobody', 'author', 'stranger', 'staff', 'filtering'].includes(viewer);

const followsTag = (viewer: Viewer) => tagFollowers.some((name) => name === viewer);

export function isForEverybody({ visibility }: Secret): boolean {
  return visibility === 'public' || visibility === 'unlisted';
}

/** For single accounts only. */
export function isForSome({ visibility }: Secret): boolean {
  return visibility === 'direct' || visibility === 'limited';
}

export function blocks(viewer: Viewer): boolean {
  return viewer === 'blocked' || viewer === 'blocking';
}

/** What the viewer does not want to come upon. */
export function avoids(viewer: Viewer, { author }: Secret): boolean {
  return viewer === 'muting' || (viewer === 'hiding' && author === 'far');
}

export function hidesDomain(viewer: Viewer, { author }: Secret): boolean {
  return viewer === 'hiding' && author === 'far';
}

export function follows(viewer: Viewer, secret: Secret): boolean {
  return followedOnce(viewer) && !blocks(viewer) && !hidesDomain(viewer, secret);
}

function addressedTo(viewer: Viewer, secret: Secret, isFollower: boolean): boolean {
  if (isOwn(viewer, secret) || isForEverybody(secret)) return true;
  if (viewer === 'nobody') return false;
  return secret.mentions || (secret.visibility === 'private' && isFollower);
}

/** Before any of them was blocked, muted or hidden. */
export function couldSee(viewer: Viewer, secret: Secret): boolean {
  return addressedTo(viewer, secret, followedOnce(viewer));
}

export function maySee(viewer: Viewer, secret: Secret): boolean {
  return !blocks(viewer) && addressedTo(viewer, secret, follows(viewer, secret));
}

/** Through a follow of the author, of whoever reblogged it, or of its tag. */
export function isAtHome(viewer: Viewer, secret: Secret): boolean {
  if (viewer === 'nobody' || !maySee(viewer, secret) || avoids(viewer, secret)) return false;
  if (isOwn(viewer, secret)) return true;
  const comesByItself = follows(viewer, secret) && (!isForSome(secret) || secret.mentions);
  const comesByTag = followsTag(viewer) && secret.visibility === 'public';
  return comesByItself || comesByTag || (followedOnce(viewer) && secret.reblogId !== undefined);
}

/** In a list of both authors and of whoever reblogs; that of `follower` is without the far one. */
export function isInList(viewer: Viewer, secret: Secret): boolean {
  if (isForSome(secret)) return false;
  return isAtHome(viewer, secret) && (isMember(viewer, secret) || secret.reblogId !== undefined);
}

export const isMember = (viewer: Viewer, { author }: Secret) => viewer !== 'follower' || author === 'author';

export function isInPublic(viewer: Viewer, secret: Secret): boolean {
  return secret.visibility === 'public' && maySee(viewer, secret) && !avoids(viewer, secret);
}

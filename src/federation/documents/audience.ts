/** Audience and visibility, in both directions, as Mastodon and its peers interpret them. */
import type { Visibility } from '../../actors/account/account.records.ts';
import { isPublicAudience, publicAudience } from './vocabulary.ts';

export interface Audience {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** Whether it is for everybody: public or unlisted. */
export function isPublic({ to, cc }: Audience): boolean {
  return to.some(isPublicAudience) || cc.some(isPublicAudience);
}

/** Whether it is for everybody first, as what is public: also for timelines that nobody has chosen. */
export function isForAllTimelines({ to }: Audience): boolean {
  return to.some(isPublicAudience);
}

/** Public to everybody, unlisted to followers, private to followers only, direct to the accounts concerned. */
export function audienceOf(visibility: Visibility, followers: string, concerned: readonly string[]): Audience {
  switch (visibility) {
    case 'public':
      return { to: [publicAudience], cc: [followers, ...concerned] };
    case 'unlisted':
      return { to: [followers], cc: [publicAudience, ...concerned] };
    case 'private':
      return { to: [followers], cc: concerned };
    case 'direct':
      return { to: concerned, cc: [] };
  }
}

/** `isFollowers` recognises the collection of the author's followers. */
export function visibilityOf({ to, cc }: Audience, isFollowers: (name: string) => boolean): Visibility {
  if (to.some(isPublicAudience)) return 'public';
  if (cc.some(isPublicAudience)) return 'unlisted';
  return to.some(isFollowers) || cc.some(isFollowers) ? 'private' : 'direct';
}

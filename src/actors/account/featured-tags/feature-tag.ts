/** Featuring tags on a profile (specification 6.2: Update; other servers read an Add to the featured collection). */

import type { BodyOf, DelegatedReply } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { isLocal, ownProfile } from '../profile/profile.turn.ts';
import { deliver } from '../relationships/follower-distribution.ts';
import type { Tag } from '../statuses/statuses.records.ts';
import { isOvertaken } from '../withdrawals/withdrawals.turn.ts';
import { countTagged } from './count-tagged.ts';
import type { FeaturedTag } from './featured-tags.records.ts';
import { featuredTagOf, featuredTags } from './featured-tags.state.ts';
import { featuredTagLimits } from './limits.ts';

/** Throws validation above the bound, for a tag that must be new and is not, and where a newer change came before. */
export function featureTag(
  turn: AccountTurn,
  { isNew, signedAt, ...tag }: BodyOf<typeof Account.featureTag>,
): { featuredId: Id } | DelegatedReply {
  ownProfile(turn);
  if (isOvertaken(turn, `tag ${tag.name}`, signedAt)) throw validationFailure('Tag is no longer featured');
  const known = turn.get(featuredTagOf, [turn.self.key, tag.name]);
  if (known !== undefined) {
    if (isNew) throw validationFailure('Tag has already been taken', { reason: 'alreadyFeatured' });
    return { featuredId: known.id };
  }
  const local = isLocal(turn);
  const { perLocalAccountMax, perRemoteAccountMax } = featuredTagLimits;
  if (all(turn).length >= (local ? perLocalAccountMax : perRemoteAccountMax))
    throw validationFailure('You have already featured the maximum number of hashtags', { reason: 'tooManyFeatured' });
  const featuredId = add(turn, tag);
  if (local) tellFollowers(turn, 'featureTag', tag);
  return countTagged(turn, { featuredId });
}

export function unfeatureTag(turn: AccountTurn, { name, signedAt }: BodyOf<typeof Account.unfeatureTag>): undefined {
  if (isOvertaken(turn, `tag ${name}`, signedAt)) return;
  const removed = remove(turn, name);
  if (removed !== undefined && isLocal(turn)) tellFollowers(turn, 'unfeatureTag', removed);
}

/** Replaces the tags by those that the account's server shows now. */
export function receiveFeaturedTags(
  turn: AccountTurn,
  { tags }: BodyOf<typeof Account.receiveFeaturedTags>,
): undefined {
  if (isLocal(turn)) return;
  const shown = tags.slice(0, featuredTagLimits.perRemoteAccountMax);
  for (const { name } of all(turn)) if (!shown.some((tag) => tag.name === name)) remove(turn, name);
  for (const tag of shown) {
    if (turn.get(featuredTagOf, [turn.self.key, tag.name]) !== undefined) continue;
    turn.tell(Account.countTagged.to(turn.self.key, { featuredId: add(turn, tag) }));
  }
}

function all(turn: AccountTurn): FeaturedTag[] {
  return Array.from(turn.range(featuredTags, [turn.self.key]), ({ value }) => value);
}

/** No status is newer than the id of the entry. */
function add(turn: AccountTurn, tag: Tag): Id {
  const featuredId = turn.nextId();
  turn.put(featuredTags, [turn.self.key, featuredId], { ...tag, statuses: 0, countedFrom: featuredId });
  turn.put(featuredTagOf, [turn.self.key, tag.name], { id: featuredId });
  return featuredId;
}

function remove(turn: AccountTurn, name: string): FeaturedTag | undefined {
  const known = turn.get(featuredTagOf, [turn.self.key, name]);
  if (known === undefined) return undefined;
  const tag = turn.get(featuredTags, [turn.self.key, known.id]);
  turn.delete(featuredTags, [turn.self.key, known.id]);
  turn.delete(featuredTagOf, [turn.self.key, name]);
  return tag;
}

function tellFollowers(turn: AccountTurn, kind: 'featureTag' | 'unfeatureTag', { name, display }: Tag): void {
  const actorId = turn.self.key;
  const audience = { toFollowers: true, destinations: [] };
  deliver(turn, { kind, actorId, activityId: turn.nextId(), tag: { name, display } }, audience);
  deliver(turn, { kind: 'updateAccount', actorId, activityId: turn.nextId() }, audience);
}

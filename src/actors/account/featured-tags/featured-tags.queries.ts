/** Reads which tags an account features, and proposes others. */
import type { Id } from '../../../runtime/ids.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { statuses, statusesOfAccount } from '../statuses/statuses.state.ts';
import type { FeaturedTag } from './featured-tags.records.ts';
import { featuredTagOf, featuredTags } from './featured-tags.state.ts';
import { featuredTagLimits } from './limits.ts';

export interface FeaturedTagView extends FeaturedTag {
  readonly id: Id;
}

/** Most used first. */
export function featuredTagsOf(reader: Reader, accountId: Id): FeaturedTagView[] {
  const tags = Array.from(reader.range(featuredTags, [accountId]), ({ key, value }) => ({ ...value, id: key[1] }));
  return tags.sort((one, other) => other.statuses - one.statuses);
}

export function findFeaturedTag(reader: Reader, accountId: Id, featuredId: Id): FeaturedTagView | undefined {
  const tag = reader.get(featuredTags, [accountId, featuredId]);
  return tag && { ...tag, id: featuredId };
}

export function featuresTag(reader: Reader, accountId: Id, name: string): boolean {
  return reader.get(featuredTagOf, [accountId, name]) !== undefined;
}

/** The tags that the account used most often of late and does not feature. */
export function proposedTags(reader: Reader, accountId: Id): string[] {
  const { proposedMax, proposedFromMax } = featuredTagLimits;
  const uses = new Map<string, number>();
  const latest = { reverse: true, limit: proposedFromMax };
  for (const { key } of reader.range(statusesOfAccount, [accountId], latest))
    for (const { name } of reader.get(statuses, [key[1]])?.tags ?? []) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...uses.keys()]
    .filter((name) => !featuresTag(reader, accountId, name))
    .sort((one, other) => uses.get(other)! - uses.get(one)!)
    .slice(0, proposedMax);
}

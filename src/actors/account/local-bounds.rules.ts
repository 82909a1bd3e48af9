/** Bounds that are lower for local accounts: those of the keyspaces are for remote ones, whose servers have their own. */
import type { Keyspace } from '../../runtime/storage/keyspace.ts';
import { countEntries, type Rule, rule } from '../../runtime/storage/rules.ts';
import { collectionsOfAccount } from './collections/collections.state.ts';
import { collectionLimits } from './collections/limits.ts';
import { featuredTags } from './featured-tags/featured-tags.state.ts';
import { featuredTagLimits } from './featured-tags/limits.ts';
import { pinLimits } from './pins/limits.ts';
import { pins } from './pins/pins.state.ts';
import { profiles } from './profile/profile.state.ts';

function atMost(list: Keyspace<[bigint, bigint], unknown>, max: number): Rule {
  return rule(profiles, ([account], { remote }, reader) => {
    const count = remote === undefined ? countEntries(reader, list, [account]) : 0;
    return count <= max ? undefined : `has ${count} entries of ${list.name} where ${max} may be`;
  });
}

export const localBoundRules: readonly Rule[] = [
  atMost(pins, pinLimits.perLocalAccountMax),
  atMost(featuredTags, featuredTagLimits.perLocalAccountMax),
  atMost(collectionsOfAccount, collectionLimits.perLocalAccountMax),
];

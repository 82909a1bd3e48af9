/** The keyspaces of featured tags, by time and by name. */

import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import { disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference } from '../account.state.ts';
import { statuses, statusesOfAccount } from '../statuses/statuses.state.ts';
import { FeaturedTag } from './featured-tags.records.ts';
import { featuredTagLimits } from './limits.ts';
import { countsFor } from './tagged-status.ts';

export const featuredTags = keyspace<[bigint, bigint], FeaturedTag>({
  number: 185,
  name: 'featured tags',
  owner,
  sparse: true,
  key: [id('account'), id('featured')],
  value: record(FeaturedTag),
  bound: { by: 'count', entries: featuredTagLimits.perRemoteAccountMax },
});

export const featuredTagOf = keyspace<[bigint, string], Reference>({
  number: 186,
  name: 'featured tag by name',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), hashedString('tag')],
  value: record(Reference),
  bound: { by: 'count', entries: featuredTagLimits.perRemoteAccountMax },
});

function countTagged(reader: Reader, account: bigint, { name, countedFrom }: FeaturedTag): number {
  let count = 0;
  for (const { key } of reader.range(statusesOfAccount, [account], { from: countedFrom })) {
    const status = reader.get(statuses, [key[1]]);
    if (status !== undefined && countsFor(status, name)) count += 1;
  }
  return count;
}

export const featuredTagRules: readonly Rule[] = [
  rule(featuredTags, ([account, featured], { name }, reader) =>
    reader.get(featuredTagOf, [account, name])?.id === featured ? undefined : 'is not found by its name',
  ),
  rule(featuredTagOf, ([account], { id: featured }, reader, bytes) => {
    const tag = reader.get(featuredTags, [account, featured]);
    const isSame = tag !== undefined && isKey(featuredTagOf, [account, tag.name], bytes);
    return isSame ? undefined : 'leads to a tag of another name';
  }),
  rule(featuredTags, ([account], tag, reader) =>
    disagreement('statuses', tag.statuses, countTagged(reader, account, tag)),
  ),
];

/** The keyspaces of followed tags, by time and by name. */

import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference } from '../account.state.ts';
import { followedTagLimits } from './limits.ts';

const FollowedTag = z.object({ name: z.string() });

export const followedTags = keyspace<[bigint, bigint], z.infer<typeof FollowedTag>>({
  number: 183,
  name: 'followed tags',
  owner,
  sparse: true,
  key: [id('account'), id('follow')],
  value: record(FollowedTag),
  bound: { by: 'count', entries: followedTagLimits.followedMax },
});

export const followedTagOf = keyspace<[bigint, string], Reference>({
  number: 184,
  name: 'followed tag by name',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), hashedString('tag')],
  value: record(Reference),
  bound: { by: 'count', entries: followedTagLimits.followedMax },
});

export const followedTagRules: readonly Rule[] = [
  rule(followedTags, ([account, follow], { name }, reader) =>
    reader.get(followedTagOf, [account, name])?.id === follow ? undefined : 'is not found by its name',
  ),
  rule(followedTagOf, ([account], { id: follow }, reader, bytes) => {
    const followed = reader.get(followedTags, [account, follow]);
    const isSame = followed !== undefined && isKey(followedTagOf, [account, followed.name], bytes);
    return isSame ? undefined : 'leads to a tag of another name';
  }),
];

/** The keyspaces of blocked domains, by time and by domain. */

import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { owner, Reference } from '../account.state.ts';
import { relationshipLimits } from './limits.ts';

export const BlockedDomain = z.object({ domain: z.string() });

export const domainBlocks = keyspace<[bigint, bigint], z.infer<typeof BlockedDomain>>({
  number: 194,
  name: 'blocked domains',
  owner,
  sparse: true,
  key: [id('account'), id('block')],
  value: record(BlockedDomain),
  bound: { by: 'count', entries: relationshipLimits.domainBlocksMax },
});

export const domainBlockOf = keyspace<[bigint, string], Reference>({
  number: 195,
  name: 'blocked domain by name',
  owner,
  derived: true,
  sparse: true,
  key: [id('account'), hashedString('domain')],
  value: record(Reference),
  bound: { by: 'count', entries: relationshipLimits.domainBlocksMax },
});

export const domainBlockRules: readonly Rule[] = [
  rule(domainBlocks, ([account, block], { domain }, reader) =>
    reader.get(domainBlockOf, [account, domain])?.id === block ? undefined : 'is not found by its domain',
  ),
  rule(domainBlockOf, ([account], { id: block }, reader, bytes) => {
    const blocked = reader.get(domainBlocks, [account, block]);
    const isSame = blocked !== undefined && isKey(domainBlockOf, [account, blocked.domain], bytes);
    return isSame ? undefined : 'leads to a block of another domain';
  }),
];

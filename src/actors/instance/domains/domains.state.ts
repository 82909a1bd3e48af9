/** The keyspaces of rules for other servers: 103, 104, 108, 109 and 210. */
import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, type Keyspace, keyspace } from '../../../runtime/storage/keyspace.ts';
import { countEntries, disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import { DomainAllow, DomainBlock } from './domains.records.ts';

const owner = 'instance';

export const domainBlocks = keyspace<[string, string], DomainBlock>({
  number: 103,
  name: 'domain blocks',
  owner,
  key: [hashedString('instance'), hashedString('domain')],
  value: record(DomainBlock),
  bound: { by: 'count', entries: instanceLimits.domainRulesMax },
});

const Named = z.object({ domain: z.string() });
type Named = z.infer<typeof Named>;

/** By time. */
export const domainBlockOfId = keyspace<[string, bigint], Named>({
  number: 104,
  name: 'domain blocks by id',
  owner,
  derived: true,
  key: [hashedString('instance'), id('block')],
  value: record(Named),
  bound: { by: 'count', entries: instanceLimits.domainRulesMax },
});

/** The servers that this one talks to where it has an allow-list. */
export const domainAllows = keyspace<[string, string], DomainAllow>({
  number: 108,
  name: 'domain allows',
  owner,
  key: [hashedString('instance'), hashedString('domain')],
  value: record(DomainAllow),
  bound: { by: 'count', entries: instanceLimits.domainRulesMax },
});

export const domainAllowOfId = keyspace<[string, bigint], Named>({
  number: 109,
  name: 'domain allows by id',
  owner,
  derived: true,
  key: [hashedString('instance'), id('allow')],
  value: record(Named),
  bound: { by: 'count', entries: instanceLimits.domainRulesMax },
});

const DomainPolicyState = z.object({
  /** How often the rules have changed. A sweep of an earlier revision ends. */
  revision: z.number(),
  isSweeping: z.boolean(),
  blocks: z.number(),
  allows: z.number(),
});
export type DomainPolicyState = z.infer<typeof DomainPolicyState>;

export const domainPolicyStates = keyspace<[string], DomainPolicyState>({
  number: 210,
  name: 'domain policy states',
  owner,
  key: [hashedString('instance')],
  value: record(DomainPolicyState),
  bound: { by: 'count', entries: 1 },
});

/** A record by its domain, and its place in the order of time. */
function foundByBoth(
  records: Keyspace<[string, string], { id: bigint; domain: string }>,
  byId: Keyspace<[string, bigint], Named>,
): Rule[] {
  return [
    rule(records, (_key, { id: recordId, domain }, reader, bytes) =>
      isKey(records, [instanceKey, domain], bytes) && reader.get(byId, [instanceKey, recordId])?.domain === domain
        ? undefined
        : 'is not found by its id',
    ),
    rule(byId, ([, recordId], { domain }, reader) =>
      reader.get(records, [instanceKey, domain])?.id === recordId ? undefined : 'leads to no record of that id',
    ),
  ];
}

export const domainPolicyRules: readonly Rule[] = [
  rule(
    domainPolicyStates,
    ([_instance], { blocks, allows }, reader) =>
      disagreement('blocked domains', blocks, countEntries(reader, domainBlocks, [instanceKey])) ??
      disagreement('allowed domains', allows, countEntries(reader, domainAllows, [instanceKey])),
  ),
  ...foundByBoth(domainBlocks, domainBlockOfId),
  ...foundByBoth(domainAllows, domainAllowOfId),
];

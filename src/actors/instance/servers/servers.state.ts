/** The keyspaces of what staff decide about another server besides its rule: 89 and 159. */
import { record } from '../../../runtime/codec.ts';
import { hashedString, keyspace } from '../../../runtime/storage/keyspace.ts';
import { awaits, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { Instance, instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import { ServerPurge, StoppedServer } from './servers.records.ts';

const owner = 'instance';

export const stoppedServers = keyspace<[string, string], StoppedServer>({
  number: 89,
  name: 'stopped servers',
  owner,
  scopeParts: 1,
  key: [hashedString('instance'), hashedString('domain')],
  value: record(StoppedServer),
  bound: { by: 'count', entries: instanceLimits.stoppedServersMax },
});

export const serverPurges = keyspace<[string, string], ServerPurge>({
  number: 159,
  name: 'purges of servers',
  owner,
  scopeParts: 1,
  key: [hashedString('instance'), hashedString('domain')],
  value: record(ServerPurge),
  bound: { by: 'owner', reason: 'one for each server that staff have purged' },
});

export const serverRules: readonly Rule[] = [
  rule(stoppedServers, (_key, { domain }, _reader, bytes) =>
    isKey(stoppedServers, [instanceKey, domain], bytes) ? undefined : 'is not found by its domain',
  ),
  /** The effect of the slice that is under way. */
  awaits(serverPurges, [Instance.serverPurged], { isAwaiting: (_key, { endedAt }) => endedAt === undefined }),
];

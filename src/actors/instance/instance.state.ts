/** The keyspaces of the instance: 100 to 102, and from 206; those of usage statistics are 105 to 107. */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, keyspace, uint53 } from '../../runtime/storage/keyspace.ts';
import { isKey, rule } from '../../runtime/storage/rules.ts';
import { InstanceSecrets, InstanceSettings, instanceKey, StoredEmoji } from './instance.messages.ts';
import { instanceLimits } from './limits.ts';

const owner = 'instance';

export const settings = keyspace<[string], InstanceSettings>({
  number: 100,
  name: 'settings',
  owner,
  key: [hashedString('instance')],
  value: record(InstanceSettings),
  bound: { by: 'count', entries: 1 },
});

export const secrets = keyspace<[string], InstanceSecrets>({
  number: 101,
  name: 'secrets',
  owner,
  key: [hashedString('instance')],
  value: record(InstanceSecrets),
  bound: { by: 'count', entries: 1 },
});

export const customEmojis = keyspace<[string, string], StoredEmoji>({
  number: 102,
  name: 'custom emojis',
  owner,
  absentIfDamaged: true,
  key: [hashedString('instance'), hashedString('shortcode')],
  value: record(StoredEmoji),
  bound: { by: 'count', entries: instanceLimits.customEmojisMax },
});

/** HTML written by staff, when it was published, and when everybody was told of it. */
const StoredTerms = z.object({ content: z.string(), publishedAt: z.number(), toldAt: z.number().optional() });

/** By the day (since 1970) on which they take effect. */
export const termsOfService = keyspace<[string, number], z.infer<typeof StoredTerms>>({
  number: 206,
  name: 'terms of service',
  owner,
  key: [hashedString('instance'), uint53('day')],
  value: record(StoredTerms),
  bound: { by: 'count', entries: instanceLimits.termsVersionsMax },
});

export const instanceRules = [
  rule(customEmojis, (_key, { shortcode }, _reader, bytes) =>
    isKey(customEmojis, [instanceKey, shortcode], bytes) ? undefined : 'is another emoji',
  ),
];

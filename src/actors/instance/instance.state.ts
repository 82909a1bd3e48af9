/** The keyspaces of the instance, with those of its usage (105 and 106). */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, keyspace } from '../../runtime/storage/keyspace.ts';
import { InstanceSecrets, InstanceSettings } from './instance.messages.ts';

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

export const StoredEmoji = z.object({
  shortcode: z.string(),
  url: z.string(),
  staticUrl: z.string(),
  visibleInPicker: z.boolean(),
  category: z.string().optional(),
});
export type StoredEmoji = z.infer<typeof StoredEmoji>;

export const customEmojis = keyspace<[string, string], StoredEmoji>({
  number: 102,
  name: 'custom emojis',
  owner,
  key: [hashedString('instance'), hashedString('shortcode')],
  value: record(StoredEmoji),
  bound: { by: 'owner', reason: 'staff keep the list' },
});

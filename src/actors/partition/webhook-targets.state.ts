/**
 * Which webhooks want to be told of what. Each partition has a copy, which its accounts read where something happens; the
 * instance actor sends each change to all of them.
 */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { keyspace, uint32 } from '../../runtime/storage/keyspace.ts';
import { type EntryToPut, entryToPut, type MoveInput, type Relocation } from '../../runtime/storage/relocation.ts';
import { identifier } from '../account/account.records.ts';
import { webhookEventNames } from '../policy/webhooks.ts';

export const WebhookTargets = z.object({
  /** Later ones are greater. */
  version: identifier,
  /** Those that are enabled. */
  webhooks: z.array(z.object({ id: identifier, events: z.array(z.enum(webhookEventNames)) })),
});
export type WebhookTargets = z.infer<typeof WebhookTargets>;

export const webhookTargets = keyspace<[number], WebhookTargets>({
  number: 173,
  name: 'webhook targets',
  owner: 'partition',
  sharedWith: ['account'],
  partitionWide: true,
  key: [uint32('one')],
  value: record(WebhookTargets),
  bound: { by: 'count', entries: 1 },
});

/** All partitions get the same copy, the newest. */
function* moved({ readers, to }: MoveInput): Generator<EntryToPut> {
  let newest: WebhookTargets | undefined;
  for (const reader of readers) {
    const known = reader.get(webhookTargets, [0]);
    if (known !== undefined && (newest === undefined || known.version > newest.version)) newest = known;
  }
  if (newest === undefined) return;
  for (let partition = 0; partition < to.partitions; partition += 1)
    yield entryToPut(partition, webhookTargets, [0], newest);
}

export const webhookTargetsRelocation: Relocation = { kind: 'together', keyspaces: [webhookTargets], move: moved };

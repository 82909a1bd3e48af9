/** The keyspaces of blobs. */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../runtime/storage/keyspace.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { awaits, type Rule, rule } from '../../runtime/storage/rules.ts';
import { Blob } from './blob.messages.ts';

const owner = 'blob';

const BlobRecord = z.object({
  name: z.string(),
  bytes: z.number(),
  /** A holder may still come until then. Milliseconds since 1970. */
  awaitedUntil: z.number(),
  /** The store has been asked to remove them. */
  isBeingRemoved: z.boolean().optional(),
});
export type BlobRecord = z.infer<typeof BlobRecord>;

export const blobs = keyspace<[string], BlobRecord>({
  number: 228,
  name: 'blobs',
  owner,
  key: [hashedString('blob')],
  value: record(BlobRecord),
  bound: { by: 'owner', reason: 'as long as somebody holds it, and an hour' },
});

/** With the name: that of the key is a digest. */
const BlobHolder = z.object({ name: z.string() });

export const blobHolders = keyspace<[string, bigint], z.infer<typeof BlobHolder>>({
  number: 229,
  name: 'blob holders',
  owner,
  key: [hashedString('blob'), id('holder')],
  value: record(BlobHolder),
  bound: { by: 'owner', reason: 'as long as what refers to the bytes' },
});

export function isHeld(reader: Reader, name: string): boolean {
  for (const _holder of reader.range(blobHolders, [name], { limit: 1 })) return true;
  return false;
}

export const blobRules: readonly Rule[] = [
  awaits(blobs, [Blob.sweep, Blob.removed], { isAwaiting: (_key, { name }, reader) => !isHeld(reader, name) }),
  rule(blobHolders, (_key, { name }, reader) =>
    reader.get(blobs, [name]) === undefined ? 'holds nothing' : undefined,
  ),
];

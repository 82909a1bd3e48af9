/** Walks a partition that nobody writes: every key, every value, and every rule between them. */
import { slotOfId } from '../ids.ts';
import type { Placement } from '../ports.ts';
import { type AnyKeyspace, partitionSlot } from './keyspace.ts';
import type { StorageEntry, StorageReader } from './log.ts';
import { SnapshotReader } from './reader.ts';
import type { Rule } from './rules.ts';

export interface CheckInput {
  readonly partition: number;
  readonly placement: Placement;
  readonly reader: StorageReader;
  /** All that may be there, the machine's own too. */
  readonly keyspaces: readonly AnyKeyspace[];
  readonly rules: readonly Rule[];
}

export interface CheckOutcome {
  readonly entries: number;
  readonly wrong: number;
  /** A sentence each, of the first that were found. */
  readonly problems: readonly string[];
}

const problemsToldMax = 100;
const firstKey = Uint8Array.of(0);
const afterLastKey = Uint8Array.of(0xff, 0xff, 0xff);

export function checkPartition(input: CheckInput): CheckOutcome {
  const byNumber = new Map(input.keyspaces.map((keyspace) => [keyspace.number, keyspace]));
  const problems: string[] = [];
  let entries = 0;
  let wrong = 0;
  for (const entry of input.reader.range({ start: firstKey, end: afterLastKey })) {
    entries += 1;
    // The bytes are those of the library's buffer, which the reads of the rules use too.
    const kept = { key: Uint8Array.from(entry.key), value: Uint8Array.from(entry.value) };
    for (const problem of problemsOf(kept, byNumber.get(kept.key[2]!), input)) {
      wrong += 1;
      if (problems.length < problemsToldMax) problems.push(problem);
    }
  }
  return { entries, wrong, problems };
}

function problemsOf({ key, value }: StorageEntry, keyspace: AnyKeyspace | undefined, input: CheckInput): string[] {
  const hex = Buffer.from(key).toString('hex');
  if (keyspace === undefined) return [`The key ${hex} belongs to no keyspace.`];
  const misplaced = misplacementOf(key, keyspace, input);
  if (misplaced !== undefined) return [`The key ${hex} of ${keyspace.name} ${misplaced}.`];
  const parts = keyspace.decode(key) as readonly unknown[];
  const name = `The entry ${parts.map((part) => (part === '' ? '#' : part)).join(', ')} of ${keyspace.name}`;
  let decoded: unknown;
  try {
    decoded = keyspace.value.decode(value);
  } catch (error) {
    return [`${name} cannot be decoded: ${error instanceof Error ? error.message : String(error)}.`];
  }
  const parsed = keyspace.value.schema?.safeParse(decoded);
  if (parsed?.success === false) {
    const [issue] = parsed.error.issues;
    return [`${name} is not what it should be: ${issue?.path.join('.')}: ${issue?.message}.`];
  }
  const reader = new SnapshotReader(input.reader);
  return input.rules
    .filter((candidate) => candidate.keyspace.number === keyspace.number)
    .map((candidate) => brokenBy(candidate, parts, decoded, reader))
    .filter((problem) => problem !== undefined)
    .map((problem) => `${name} ${problem}.`);
}

/** What the rule looks at beside the entry may be what cannot be read. */
function brokenBy({ broken }: Rule, parts: readonly unknown[], value: unknown, reader: SnapshotReader) {
  try {
    return broken(parts as never, value as never, reader);
  } catch (error) {
    return `leads to something that cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function misplacementOf(key: Uint8Array, keyspace: AnyKeyspace, { partition, placement }: CheckInput) {
  const bytes = keyspace.parts.reduce((sum, part) => sum + part.bytes, 3);
  if (key.byteLength !== bytes) return `has ${key.byteLength} bytes, not ${bytes}`;
  const slot = (key[0]! << 8) | key[1]!;
  if (keyspace.partitionWide) return slot === partitionSlot ? undefined : 'is not one of a partition';
  const [first] = keyspace.parts;
  const wanted = first!.kind === 'id' ? slotOfId(first!.read(key, 3) as bigint) : (key[3]! << 2) | (key[4]! >> 6);
  if (slot !== wanted) return `is in slot ${slot}, not ${wanted}`;
  const home = placement.partitionOf(slot);
  return home === partition ? undefined : `belongs to partition ${home}`;
}

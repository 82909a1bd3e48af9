/**
 * A keyspace, declared once: its number (append-only, never reused), name, key shape, value, owner and bound.
 *
 * A key is: slot (2 bytes, 0xFFFF for what belongs to the partition) · keyspace number (1 byte) · the key's parts, all
 * big-endian, so that the order of bytes is the order of values.
 *
 * INVARIANTS
 * 1. The first part of an actor's key determines its slot, and in most keyspaces the actor: an actor reaches only its
 *    own.
 * 2. A name is stored as the first 16 bytes of its SHA-256: keys stay short, and the name cannot be read back.
 */
import type { Codec } from '../codec.ts';
import { digestOfName, slotOfId, slotOfKey } from '../ids.ts';

export const partitionSlot = 0xffff;

/** Behind all keys, those of the whole partition included. */
export const afterLastKey = Uint8Array.of(0xff, 0xff, 0xff);
/** Our own limit; LMDB's is higher with our page size. */
const keyBytesMax = 512;

export interface KeyPart<T> {
  readonly name: string;
  readonly kind: 'id' | 'position' | 'uint53' | 'uint32' | 'hashedString' | 'textStart';
  readonly bytes: number;
  write(target: Buffer, offset: number, value: T): void;
  read(source: Uint8Array, offset: number): T;
  slot(value: T): number;
}

function noSlot(name: string): () => never {
  return () => {
    throw new Error(`the key part ${name} cannot name a slot`);
  };
}

function readUint32(source: Uint8Array, offset: number): number {
  const high = (source[offset]! << 24) | (source[offset + 1]! << 16);
  return (high | (source[offset + 2]! << 8) | source[offset + 3]!) >>> 0;
}

/**
 * Shared buffer for decoding ids: creating a view for each key costs as much as decoding it, and Buffer's methods for
 * bigints cost twice as much as the rest of a key (measured).
 */
const assembly = new DataView(new ArrayBuffer(8));
const assembled = new Uint8Array(assembly.buffer);

function readUint64(source: Uint8Array, offset: number): bigint {
  assembly.setUint32(0, readUint32(source, offset));
  assembly.setUint32(4, readUint32(source, offset + 4));
  return assembly.getBigUint64(0);
}

const uint64Max = 0xffff_ffff_ffff_ffffn;

function writeUint64(target: Uint8Array, offset: number, value: bigint): void {
  if (value < 0n || value > uint64Max) throw new RangeError(`${value} has more than 64 bits`);
  assembly.setBigUint64(0, value);
  for (let index = 0; index < 8; index += 1) target[offset + index] = assembled[index]!;
}

/** A 64-bit id; it contains its slot. */
export function id(name: string): KeyPart<bigint> {
  return {
    name,
    kind: 'id',
    bytes: 8,
    write: writeUint64,
    read: readUint64,
    slot: slotOfId,
  };
}

/** A 64-bit position or count without a slot. */
export function position(name: string): KeyPart<bigint> {
  return { ...id(name), kind: 'position', slot: noSlot(name) };
}

/** A whole number below 2^53, stored in 8 bytes: times in milliseconds, sequences. */
export function uint53(name: string): KeyPart<number> {
  return {
    name,
    kind: 'uint53',
    bytes: 8,
    write: (target, offset, value) => {
      target.writeUInt32BE(Math.floor(value / 0x1_0000_0000), offset);
      target.writeUInt32BE(value >>> 0, offset + 4);
    },
    read: (source, offset) => readUint32(source, offset) * 0x1_0000_0000 + readUint32(source, offset + 4),
    slot: noSlot(name),
  };
}

export function uint32(name: string): KeyPart<number> {
  return {
    name,
    kind: 'uint32',
    bytes: 4,
    write: (target, offset, value) => void target.writeUInt32BE(value, offset),
    read: readUint32,
    slot: noSlot(name),
  };
}

const nameBytes = 16;

/** A name of any length (a handle, a URI, a host, a tag), hashed; reads back as the empty string (invariant 2). */
export function hashedString(label: string): KeyPart<string> {
  return {
    name: label,
    kind: 'hashedString',
    bytes: nameBytes,
    write: (target, offset, value) => {
      const digest = digestOfName(value);
      for (let index = 0; index < nameBytes; index += 1) target[offset + index] = digest[index]!;
    },
    read: () => '',
    slot: slotOfKey,
  };
}

/** No character of UTF-8 is longer or greater. */
const greatestCharacter = '\u{10ffff}';
const startBytes = 20;
const startBytesAsked = startBytes - Buffer.byteLength(greatestCharacter);

/**
 * The first bytes of a text, in character order: texts with the same beginning are adjacent. Reads back as that
 * beginning. Texts that differ only later have the same value here: another key part must distinguish them.
 */
export function textStart(label: string): KeyPart<string> {
  return {
    name: label,
    kind: 'textStart',
    bytes: startBytes,
    write: (target, offset, value) => {
      target.fill(0, offset, offset + startBytes);
      target.write(value, offset, startBytes, 'utf8');
    },
    read: (source, offset) => {
      const start = Buffer.from(source.buffer, source.byteOffset + offset, startBytes);
      const end = start.indexOf(0);
      return start.toString('utf8', 0, end === -1 ? startBytes : end);
    },
    slot: noSlot(label),
  };
}

/** The part of a text that a key holds: texts that agree in it have the same key. */
export function startOfText(text: string): string {
  const start = Buffer.alloc(startBytes);
  return start.toString('utf8', 0, start.write(text, 0, startBytes, 'utf8'));
}

/** The range of all texts with this beginning; of a long beginning, only the part that a key holds. */
export function beginningWith(beginning: string): { readonly from: string; readonly until: string } {
  const start = Buffer.alloc(startBytesAsked);
  const from = start.toString('utf8', 0, start.write(beginning, 0, startBytesAsked, 'utf8'));
  return { from, until: `${from}${greatestCharacter}` };
}

type Parts<Key extends readonly unknown[]> = { readonly [Index in keyof Key]: KeyPart<Key[Index]> };

/**
 * What keeps a keyspace from growing without end; every keyspace has one.
 *
 * - owner: entries go with what they belong to. The reason is documentation, which nothing verifies.
 * - count: so many entries of each actor, or of the partition in partition-wide keyspaces (more exactly: of each scope).
 *   `murmuration check` verifies it, and where another actor removes what is too many (`atRest`) only when no message
 *   is on its way.
 * - age: a timer or later writes remove what is older. A clock cannot verify it, because nothing is removed while the
 *   server is stopped: a rule verifies that there is such a timer (`awaits`), or that later writes did it (`trimmed`).
 */
export type Bound =
  | { readonly by: 'owner'; readonly reason: string }
  | { readonly by: 'age'; readonly milliseconds: number }
  | { readonly by: 'count'; readonly entries: number; readonly atRest?: boolean };

export interface KeyspaceDeclaration<Key extends readonly unknown[], Value> {
  number: number;
  name: string;
  /**
   * The kind of actor that reads and writes it; 'machine' for the runtime's own. Where the first key part has the same
   * name it is the key of the actor, which owns these entries alone; otherwise it is an id in the actor's slot.
   */
  owner: string;
  /** Other kinds that read and write a partition-wide keyspace directly: asking its owner would cost a message. */
  sharedWith?: readonly string[];
  /** True: keys carry the partition prefix instead of a slot, and every partition has its share. */
  partitionWide?: boolean;
  /** True where entries can be rebuilt from others; a rule of the check then reports those that disagree with them. */
  derived?: boolean;
  /** True where values are read often and written rarely: partitions keep them decoded. */
  remembered?: boolean;
  /** True where most actors have no entry: partitions remember which scopes are empty. */
  sparse?: boolean;
  /**
   * True for what is shown to people, or sent, and protects nothing: queries leave out an entry that cannot be decoded, so
   * that it does not take the others of a list with it. It is reported, and `murmuration check` finds it.
   */
  absentIfDamaged?: boolean;
  /**
   * True for statistics that nobody's rights depend on: a turn that meets an entry that cannot be decoded sets its bytes
   * aside, deletes it and goes on. Without it one damaged counter would end all that is counted.
   */
  beginsAnewIfDamaged?: boolean;
  /** True for what is written once: a turn that would change or delete an entry fails. */
  appendOnly?: boolean;
  key: Parts<Key>;
  /** How many leading parts every range must fix; default 1 (0 for partition-wide keyspaces). */
  scopeParts?: number;
  value: Codec<Value>;
  bound: Bound;
}

export interface Keyspace<Key extends readonly unknown[], Value> {
  readonly number: number;
  readonly name: string;
  readonly owner: string;
  readonly sharedWith: readonly string[];
  /** Who may reach an entry: one actor, all actors of its slot, or those of its partition. */
  readonly reach: 'actor' | 'slot' | 'partition';
  readonly partitionWide: boolean;
  readonly derived: boolean;
  readonly remembered: boolean;
  readonly sparse: boolean;
  readonly absentIfDamaged: boolean;
  readonly beginsAnewIfDamaged: boolean;
  readonly appendOnly: boolean;
  readonly bound: Bound;
  readonly parts: readonly KeyPart<unknown>[];
  readonly value: Codec<Value>;
  /** Length of the shortest prefix that a range may have. Layers index their keys by it. */
  readonly scopeBytes: number;
  /** Of a key, or of the leading parts that every prefix has. */
  slotOf(key: Key | readonly unknown[]): number;
  encode(key: Key): Buffer;
  /** Encodes a key into a buffer that the next call reuses: for callers that look it up or copy it at once. */
  encodeTransient(key: Key): Buffer;
  /** The first bytes of every key that begins with these parts. */
  prefix(parts: Partial<Key> | readonly unknown[], slot: number): Buffer;
  decode(bytes: Uint8Array): Key;
  /** False for bytes to which no key is encoded: of another length, or with a number above 2^53. */
  isKey(bytes: Uint8Array): boolean;
}

/** A keyspace whose key and value types are not known. */
export type AnyKeyspace = Keyspace<readonly unknown[], unknown>;

const headerBytes = 3;

/** Of a key with a character for each byte. */
export function numberOfKeyspace(key: string): number {
  return key.charCodeAt(2);
}

const declared = new WeakSet<object>();
const sparseNumbers: boolean[] = [];

/** Whether a keyspace of this number was declared as sparse. */
export function isSparse(number: number): boolean {
  return sparseNumbers[number] === true;
}

/** Every keyspace that these modules export. A second declaration for reading the same entries does not count. */
export function keyspacesOf(...modules: readonly object[]): readonly AnyKeyspace[] {
  return modules
    .flatMap((module) => Object.values(module))
    .filter((value): value is AnyKeyspace => declared.has(value));
}

export function keyspace<Key extends readonly unknown[], Value>(
  declaration: KeyspaceDeclaration<Key, Value>,
): Keyspace<Key, Value> {
  const layout = layoutOf(declaration);
  const { parts, partitionWide } = layout;
  const codec = keyCodec<Key>(declaration.number, layout);
  const space: Keyspace<Key, Value> = {
    number: declaration.number,
    name: declaration.name,
    owner: declaration.owner,
    sharedWith: declaration.sharedWith ?? [],
    reach: partitionWide ? 'partition' : parts[0]!.name === declaration.owner ? 'actor' : 'slot',
    partitionWide,
    derived: declaration.derived ?? false,
    remembered: declaration.remembered ?? false,
    sparse: declaration.sparse ?? false,
    absentIfDamaged: declaration.absentIfDamaged ?? false,
    beginsAnewIfDamaged: declaration.beginsAnewIfDamaged ?? false,
    appendOnly: declaration.appendOnly ?? false,
    bound: declaration.bound,
    parts,
    value: declaration.value,
    scopeBytes: layout.scopeBytes,
    slotOf: codec.slotOf,
    encode: codec.encode,
    encodeTransient: codec.encodeTransient,
    prefix: codec.prefix,
    decode: codec.decode,
    isKey: codec.isKey,
  };
  declared.add(space);
  if (space.sparse) sparseNumbers[space.number] = true;
  return space;
}

interface KeyLayout {
  readonly parts: readonly KeyPart<unknown>[];
  readonly partitionWide: boolean;
  readonly totalBytes: number;
  readonly scopeBytes: number;
}

function layoutOf<Key extends readonly unknown[]>(declaration: KeyspaceDeclaration<Key, unknown>): KeyLayout {
  const parts = declaration.key as readonly KeyPart<unknown>[];
  const { partitionWide = false, scopeParts = partitionWide ? 0 : 1 } = declaration;
  const totalBytes = bytesOf(parts);
  if (totalBytes > keyBytesMax)
    throw new Error(`keys of ${declaration.name} would be longer than ${keyBytesMax} bytes`);
  return { parts, partitionWide, totalBytes, scopeBytes: bytesOf(parts.slice(0, scopeParts)) };
}

/** Of a key, or of a prefix, with these parts. */
function bytesOf(parts: readonly KeyPart<unknown>[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, headerBytes);
}

function keyCodec<Key extends readonly unknown[]>(
  number: number,
  { parts, partitionWide, totalBytes }: KeyLayout,
): Pick<Keyspace<Key, never>, 'slotOf' | 'encode' | 'encodeTransient' | 'prefix' | 'decode' | 'isKey'> {
  const transient = Buffer.alloc(totalBytes);
  /** Where its numbers of 53 bits begin. */
  const numbersAt = parts.flatMap(({ kind }, index) => (kind === 'uint53' ? [bytesOf(parts.slice(0, index))] : []));

  function slotOf(key: readonly unknown[]): number {
    return partitionWide ? partitionSlot : parts[0]!.slot(key[0]);
  }

  function write(target: Buffer, key: readonly unknown[], slot: number, count: number): Buffer {
    target[0] = slot >> 8;
    target[1] = slot & 0xff;
    target[2] = number;
    let offset = headerBytes;
    for (let index = 0; index < count; index += 1) {
      const part = parts[index]!;
      part.write(target, offset, key[index]);
      offset += part.bytes;
    }
    return target;
  }

  return {
    slotOf,
    encode: (key) => write(Buffer.allocUnsafe(totalBytes), key, slotOf(key), parts.length),
    encodeTransient: (key) => write(transient, key, slotOf(key), parts.length),
    prefix(given, slot) {
      const key = given as readonly unknown[];
      let length = headerBytes;
      for (let index = 0; index < key.length; index += 1) length += parts[index]!.bytes;
      return write(Buffer.allocUnsafe(length), key, partitionWide ? partitionSlot : slot, key.length);
    },
    decode(bytes) {
      const key: unknown[] = [];
      let offset = headerBytes;
      for (const part of parts) {
        key.push(part.read(bytes, offset));
        offset += part.bytes;
      }
      return key as readonly unknown[] as Key;
    },
    isKey: (bytes) =>
      bytes.length === totalBytes && numbersAt.every((offset) => bytes[offset] === 0 && bytes[offset + 1]! < 0x20),
  };
}

/** Verifies the rules that hold between keyspaces; called at start and by a test. */
export function assertCatalogue(keyspaces: readonly { number: number; name: string }[]): void {
  const numbers = new Map<number, string>();
  for (const space of keyspaces) {
    if (space.number < 1 || space.number > 254) throw new Error(`keyspace ${space.name} has no number from 1 to 254`);
    const other = numbers.get(space.number);
    if (other !== undefined) throw new Error(`keyspaces ${other} and ${space.name} share the number ${space.number}`);
    numbers.set(space.number, space.name);
  }
}

/** The first key after all keys with this prefix. */
export function afterPrefix(prefix: Uint8Array): Buffer {
  const end = Buffer.from(prefix);
  for (let index = end.length - 1; index >= 0; index -= 1) {
    if (end[index]! < 0xff) {
      end[index]! += 1;
      return end.subarray(0, index + 1);
    }
  }
  throw new Error('a prefix of 0xff only has no end');
}

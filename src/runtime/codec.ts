/**
 * How values become bytes. A record is stored as an array in the order of its schema's keys: small, quick, and without
 * shared state between threads. Objects inside a record are stored with the names of their fields.
 *
 * INVARIANTS
 * 1. Fields of a stored record are append-only: one that is added later is optional or has a default in its schema, and
 *    a retired one keeps its place. test/tidy/format holds this.
 * 2. What a newer version added is kept when an older one writes the record again: at the end of the record, and in
 *    every object inside it that is copied by spreading.
 */
import { Packr } from 'msgpackr';
import type { z } from 'zod';
import { type ReadingRule, readingRule } from './stored-defaults.ts';

const packr = new Packr({ useRecords: false, copyBuffers: true, moreTypes: false, structuredClone: false });

export interface Codec<T> {
  /** The schema of what is stored, where there is one. */
  readonly schema?: z.ZodType;
  /** Fields are stored by position, without their names. */
  readonly isPositional?: boolean;
  encode(value: T): Uint8Array;
  /** `bytes` may be a buffer that is reused right after: a codec keeps no reference to it. */
  decode(bytes: Uint8Array): T;
}

/** Any value of plain objects, arrays, strings, numbers, bigints of 64 bits, booleans and bytes. */
export function pack(value: unknown): Uint8Array {
  return packr.pack(value);
}

export function unpack(bytes: Uint8Array): unknown {
  return packr.unpack(bytes);
}

/**
 * The MessagePack array of values that are packed already, in a buffer of its own, so that it is cloned whole on its
 * way to other threads. `before` is put in front of it.
 */
export function packArray(items: readonly Uint8Array[], before: Uint8Array = nothing): Uint8Array {
  return joined([...before, ...headerOf(items.length, 0x90, 0xdc)], items);
}

const nothing = new Uint8Array(0);

/** The MessagePack object of values that are packed already. */
export function packObject(fields: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const entries = Object.entries(fields);
  return joined(
    headerOf(entries.length, 0x80, 0xde),
    entries.flatMap(([name, value]) => [pack(name), value]),
  );
}

/** The MessagePack header of a list of `length`: `short` for up to 15, `long` with 16 bits, `long + 1` with 32. */
function headerOf(length: number, short: number, long: number): readonly number[] {
  if (length < 16) return [short | length];
  if (length < 0x1_0000) return [long, length >> 8, length & 0xff];
  return [long + 1, length >>> 24, (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
}

function joined(header: readonly number[], parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, header.length));
  bytes.set(header);
  let offset = header.length;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}

/** Stores values as they are. The schema only describes them for the format lock: nothing is validated with it. */
export function packed<T>(schema?: z.ZodType<T>): Codec<T> {
  return {
    ...(schema && { schema }),
    encode: (value) => packr.pack(value),
    decode: (bytes) => packr.unpack(bytes) as T,
  };
}

/**
 * Where a decoded record keeps the fields that only a newer version knows: spreading the record copies them, and they
 * are written again.
 */
const unknownFields = Symbol('fields of a newer version');

interface Decoded {
  [field: string]: unknown;
  [unknownFields]?: readonly unknown[];
}

export function record<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): Codec<z.output<z.ZodObject<Shape>>> {
  type Value = z.output<z.ZodObject<Shape>>;
  const fields = Object.keys(schema.shape);
  const rules = fields.map((field) => readingRule(schema.shape[field] as z.ZodType));
  const row: unknown[] = new Array(fields.length);
  // Made at the first use: a thread never reads most kinds of records.
  let create: RecordConstructor | undefined;
  return {
    schema,
    isPositional: true,
    encode(value) {
      const source = value as Decoded;
      for (let index = 0; index < fields.length; index += 1) row[index] = source[fields[index]!];
      const unknown = source[unknownFields];
      return packr.pack(unknown === undefined ? row : [...row, ...unknown]);
    },
    decode(bytes) {
      create ??= constructorOf(fields, rules);
      const values: unknown = packr.unpack(bytes);
      if (!Array.isArray(values)) throw new Error('it is not a record');
      const decoded = create(values, rules);
      if (values.length > fields.length) decoded[unknownFields] = values.slice(fields.length);
      return decoded as Value;
    },
  };
}

type RecordConstructor = (values: readonly unknown[], rules: readonly ReadingRule[]) => Decoded;

/**
 * Builds the object of a record's values with one object literal: setting the fields one by one by name takes up to
 * five times as long (measured), and reading records is the most frequent operation of all.
 */
function constructorOf(fields: readonly string[], rules: readonly ReadingRule[]): RecordConstructor {
  const entries = fields.map((field, index) => {
    const present =
      rules[index]!.complete === undefined ? `values[${index}]` : `rules[${index}].complete(values[${index}])`;
    return `${JSON.stringify(field)}: values[${index}] === undefined ? rules[${index}].absent() : ${present}`;
  });
  return new Function('values', 'rules', `return { ${entries.join(', ')} };`) as RecordConstructor;
}

const presence = Buffer.from([1]);

/** For keyspaces whose keys carry all the information. */
export const present: Codec<true> = { encode: () => presence, decode: () => true };

/** Bytes as they are. They are copied, because the caller may reuse its buffer. */
export const raw: Codec<Uint8Array> = {
  encode: (value) => Uint8Array.prototype.slice.call(value),
  decode: (bytes) => Uint8Array.prototype.slice.call(bytes),
};

/** What reaches the disk or travels between versions, described from the declarations; and what may become of it. */
import type { z } from 'zod';
import type { ActorImplementation } from '../../../src/runtime/contract.ts';
import type { AnyKeyspace, Bound } from '../../../src/runtime/storage/keyspace.ts';
import type { Migration } from '../../../src/runtime/storage/migration.ts';
import { breaches, orderBreaches, type Shape, shapeOf } from './shape.ts';

/** A number that nothing has any more. It stays here, so that nothing else gets it. */
interface Retired {
  readonly retired: true;
}

interface KeyspaceFormat {
  readonly name: string;
  readonly key: readonly string[];
  readonly partitionWide: boolean;
  /** Records are stored by the positions of their fields, other values with the names. */
  readonly value: Shape;
  readonly positional: boolean;
  /** Absent for a bound that is only described. */
  readonly bound?: BoundFormat;
}

/** How many entries or milliseconds are allowed: `murmuration check` complains of what earlier versions kept above it. */
interface BoundFormat {
  readonly most: number;
  readonly of: 'entries' | 'milliseconds';
}

interface BodyFormat {
  readonly name: string;
  readonly body: Shape;
}

type Numbered<Entry> = Readonly<Record<string, Entry | (Entry & Retired)>>;

export interface Format {
  /** Of the folder when this was written down: what later migrations change may differ. */
  readonly format: number;
  readonly keyspaces: Numbered<KeyspaceFormat>;
  readonly kinds: Numbered<{ readonly name: string }>;
  /** By `kind.message`. */
  readonly messages: Numbered<BodyFormat>;
  readonly events: Numbered<BodyFormat>;
  readonly effects: Numbered<BodyFormat>;
}

export interface Declarations {
  readonly format: number;
  readonly keyspaces: readonly AnyKeyspace[];
  readonly actors: readonly ActorImplementation[];
  readonly events: readonly { readonly number: number; readonly name: string; readonly body: z.ZodType }[];
  readonly effects: readonly { readonly number: number; readonly name: string; readonly request: z.ZodType }[];
}

export function formatOf({ format, keyspaces, actors, events, effects }: Declarations): Format {
  return {
    format,
    keyspaces: numbered(keyspaces, ({ number, name, parts, partitionWide, value, bound }) => [
      number,
      {
        name,
        key: parts.map((part) => `${part.kind} ${part.name}`),
        partitionWide,
        value: value.schema === undefined ? 'bytes' : shapeOf(value.schema),
        positional: value.isPositional === true,
        ...boundOf(bound),
      },
    ]),
    kinds: numbered(actors, ({ kind, kindName }) => [kind, { name: kindName }]),
    messages: numbered(
      actors.flatMap(({ kind, handlers }) => [...handlers].map(([number, handler]) => ({ kind, number, handler }))),
      ({ kind, number, handler }) => [`${kind}.${number}`, { name: handler.name, body: shapeOf(handler.body) }],
    ),
    events: numbered(events, ({ number, name, body }) => [number, { name, body: shapeOf(body) }]),
    effects: numbered(effects, ({ number, name, request }) => [number, { name, body: shapeOf(request) }]),
  };
}

function boundOf(bound: Bound): Pick<KeyspaceFormat, 'bound'> {
  if (bound.by === 'owner') return {};
  const most = bound.by === 'count' ? bound.entries : bound.milliseconds;
  return { bound: { most, of: bound.by === 'count' ? 'entries' : 'milliseconds' } };
}

function numbered<Item, Entry>(
  items: readonly Item[],
  entryOf: (item: Item) => readonly [number | string, Entry],
): Record<string, Entry> {
  const entries = items.map(entryOf);
  const byNumber = (one: readonly [number | string, Entry], other: readonly [number | string, Entry]) =>
    String(one[0]).localeCompare(String(other[0]), 'en', { numeric: true });
  return Object.fromEntries(entries.sort(byNumber));
}

/** The numbers of the format as it is, with those that it had and has no more. */
export function withRetired(lock: Format, format: Format): Format {
  const merge = <Entry extends object>(was: Numbered<Entry>, is: Numbered<Entry>): Numbered<Entry> => {
    const gone = Object.entries(was).filter(([number]) => !(number in is));
    const all = [
      ...Object.entries(is),
      ...gone.map(([number, entry]) => [number, { ...entry, retired: true }] as const),
    ];
    return numbered(all, (entry) => entry as readonly [string, Entry]);
  };
  return {
    format: format.format,
    keyspaces: merge(lock.keyspaces, format.keyspaces),
    kinds: merge(lock.kinds, format.kinds),
    messages: merge(lock.messages, format.messages),
    events: merge(lock.events, format.events),
    effects: merge(lock.effects, format.effects),
  };
}

/** As the file has it: what fits stands on one line, so that a change is seen where it is. */
export function textOf(value: unknown, indent = '', label = ''): string {
  const short = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (indent !== '' && indent.length + label.length + short.length < 118) return label + short;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${indent}  ${textOf(item, `${indent}  `)}`);
    return `${label}[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return label + short;
  const entries = Object.entries(value).map(
    ([name, entry]) => `${indent}  ${textOf(entry, `${indent}  `, `${JSON.stringify(name)}: `)}`,
  );
  return `${label}{\n${entries.join(',\n')}\n${indent}}`;
}

/** Why the folders of the locked format cannot be read with this one, where no migration sees to it: a sentence each. */
export function formatBreaches(lock: Format, format: Format, migrations: readonly Migration[] = []): string[] {
  const migrated = new Set(
    migrations.filter((migration) => migration.format > lock.format).flatMap(({ keyspaces }) => keyspaces.map(String)),
  );
  const kept = Object.fromEntries(Object.entries(lock.keyspaces).filter(([number]) => !migrated.has(number)));
  return [
    ...each('keyspace', kept, format.keyspaces, keyspaceBreaches),
    ...each('kind', lock.kinds, format.kinds, () => []),
    ...each('message', lock.messages, format.messages, bodyBreaches),
    ...each('event', lock.events, format.events, bodyBreaches),
    ...each('effect', lock.effects, format.effects, bodyBreaches),
  ];
}

function each<Entry extends { readonly name: string }>(
  what: string,
  was: Numbered<Entry>,
  is: Numbered<Entry>,
  compare: (before: Entry, after: Entry, place: string) => string[],
): string[] {
  return Object.entries(was).flatMap(([number, before]) => {
    const after = is[number];
    if (after === undefined) return [];
    const place = `${what} ${number} (${after.name})`;
    if ('retired' in before) return [`${place}: the number was that of ${before.name}, which is gone; take another`];
    return [...numberBreaches(was, number, after, place), ...compare(before, after, place)];
  });
}

/**
 * A name may change, but not move to the number of another one: what is stored under the two would be mistaken for each
 * other, even where both look alike. Numbers of messages count for their kind.
 */
function numberBreaches<Entry extends { readonly name: string }>(
  was: Numbered<Entry>,
  number: string,
  { name }: Entry,
  place: string,
): string[] {
  const scopeOf = (key: string) => key.slice(0, key.indexOf('.') + 1);
  const holders = Object.entries(was).filter(
    ([key, entry]) => entry.name === name && !('retired' in entry) && scopeOf(key) === scopeOf(number),
  );
  if (holders.length === 0 || holders.some(([key]) => key === number)) return [];
  return [`${place}: it had the number ${holders[0]![0]}`];
}

function keyspaceBreaches(before: KeyspaceFormat, after: KeyspaceFormat, place: string): string[] {
  const kindsOf = (keyspace: KeyspaceFormat) => keyspace.key.map((part) => part.split(' ')[0]).join(', ');
  const moved = before.key.find((part, index) => part !== after.key[index] && after.key.includes(part));
  return [
    ...(kindsOf(before) === kindsOf(after) ? [] : [`${place}: its keys were ${kindsOf(before)}`]),
    ...(moved === undefined ? [] : [`${place}: the part of its keys "${moved}" is in another place`]),
    ...(before.partitionWide === after.partitionWide ? [] : [`${place}: where it is kept has changed`]),
    ...(before.positional === after.positional ? [] : [`${place}: how its values become bytes has changed`]),
    ...(before.positional ? orderBreaches(before.value, after.value, place) : []),
    ...breaches(before.value, after.value, place),
    ...boundBreaches(before.bound, after.bound, place),
  ];
}

function boundBreaches(before: BoundFormat | undefined, after: BoundFormat | undefined, place: string): string[] {
  if (before?.of !== after?.of || before === undefined || after === undefined || before.most <= after.most) return [];
  return [`${place}: ${before.most} ${before.of} were allowed, and ${after.most} are now`];
}

function bodyBreaches(before: BodyFormat, after: BodyFormat, place: string): string[] {
  return breaches(before.body, after.body, place);
}

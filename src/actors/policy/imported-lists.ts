/**
 * Reads lists as Mastodon and others export them. Columns are found by their names, in whatever order; others are ignored. A
 * file without a header has the columns of Mastodon's own. Pure.
 */
import type { ImportedList, ImportedRow } from '../account/imports/imports.records.ts';
import { importLimits } from '../account/imports/limits.ts';
import { type CsvRecord, recordsOf, truthOf } from './csv.ts';

interface Column {
  /** As headers name it, in lower case and without `#`. */
  readonly names: readonly string[];
  /** Whether this can be a value; every value where absent. */
  isValue?(value: string): boolean;
  /** What stands where there is none. */
  readonly otherwise?: string;
}

const handle = /^@?[^@\s,/<>"]+(?:@[^@\s,/<>"]+)?$/;
const address = { names: ['account address', 'account', 'address'], isValue: (value: string) => handle.test(value) };
const truth = (otherwise: string, ...names: readonly string[]): Column => ({
  names,
  isValue: (value) => truthOf(value) !== undefined,
  otherwise,
});
const text = (...names: readonly string[]): Column => ({ names, isValue: (value) => value !== '' });
const optional = (...names: readonly string[]): Column => ({ names, otherwise: '' });

/** In the order in which rows have their values. */
const columnsOf: Readonly<Record<ImportedList, readonly Column[]>> = {
  follows: [
    address,
    truth('true', 'show boosts', 'show reblogs'),
    truth('false', 'notify on new posts'),
    optional('languages'),
  ],
  blocks: [address],
  mutes: [address, truth('true', 'hide notifications')],
  domainBlocks: [text('domain')],
  lists: [text('list name', 'list', 'title'), { ...address }],
  bookmarks: [{ names: ['uri', 'url', 'status'], isValue: (value) => /^https?:\/\/[^\s]+$/.test(value) }],
  filters: [
    text('title'),
    text('context'),
    text('keyword'),
    truth('false', 'whole word'),
    { names: ['action'], isValue: (value) => ['warn', 'hide', 'blur'].includes(value), otherwise: 'warn' },
    { names: ['expires at'], isValue: (value) => value === '' || !Number.isNaN(Date.parse(value)), otherwise: '' },
  ],
};

/** Undefined where there are more than are taken. Rows that cannot be read have that result already. */
export function readImportedList(list: ImportedList, content: string): ImportedRow[] | undefined {
  const [first, ...rest] = recordsOf(content.replace(/^\uFEFF/, ''));
  if (first === undefined) return [];
  const columns = columnsOf[list];
  const named = first.values.map(nameOf);
  const places = columns.map(({ names }) => named.findIndex((name) => names.includes(name)));
  const hasHeader = places[0] !== -1;
  const records = hasHeader ? rest : [first, ...rest];
  if (records.length > importLimits.rowsMax) return undefined;
  return records.map((record) => rowOf(record, columns, hasHeader ? places : columns.map((_column, place) => place)));
}

function nameOf(given: string): string {
  return given.trim().toLowerCase().replace(/^#/, '');
}

function rowOf({ line, values: given }: CsvRecord, columns: readonly Column[], places: readonly number[]): ImportedRow {
  const values = columns.map(({ otherwise = '' }, index) => given[places[index]!]?.trim() || otherwise);
  const isReadable = columns.every(({ isValue }, index) => {
    const value = values[index]!;
    return value.length <= importLimits.valueCharactersMax && isValue?.(value) !== false;
  });
  if (isReadable) return { line, values };
  const shown = given.slice(0, importLimits.valuesMax).map((value) => value.slice(0, importLimits.valueCharactersMax));
  return { line, values: shown, result: 'unreadable' };
}

export function isTrue(value: string | undefined): boolean {
  return truthOf(value ?? '') === true;
}

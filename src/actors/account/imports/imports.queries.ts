/** Reads imports, and what became of their rows. */
import type { Id } from '../../../runtime/ids.ts';
import { slotsOfPartitions } from '../../../runtime/placement.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { Import, ImportedRow } from './imports.records.ts';
import { importChunks, importedPosts, imports } from './imports.state.ts';

/** The latest first. */
export function importsOf(reader: Reader, accountId: Id): Import[] {
  return Array.from(reader.range(imports, [accountId], { reverse: true }), ({ value }) => value);
}

export function findImport(reader: Reader, accountId: Id, importId: Id): Import | undefined {
  return reader.get(imports, [accountId, importId]);
}

export function rowsOfChunk(reader: Reader, accountId: Id, importId: Id, chunk: number): readonly ImportedRow[] {
  return reader.get(importChunks, [accountId, importId, BigInt(chunk)])?.rows ?? [];
}

export function* allRowsOf(reader: Reader, accountId: Id, importId: Id): Generator<ImportedRow> {
  for (const { value } of reader.range(importChunks, [accountId, importId])) yield* value.rows;
}

/** In the order in which they were tried. */
export function* failedRowsOf(reader: Reader, accountId: Id, importId: Id): Generator<ImportedRow> {
  for (const row of allRowsOf(reader, accountId, importId))
    if (row.result !== undefined && row.result !== 'done') yield row;
}

/** In the order of the file, from after a line on: posts are tried in the order of their time. */
export function failedRowsAfter(reader: Reader, [accountId, importId]: [Id, Id], line: number, limit: number) {
  const later = [...failedRowsOf(reader, accountId, importId)].filter((row) => row.line > line);
  return later.sort((one, other) => one.line - other.line).slice(0, limit);
}

/** Those of all accounts whose archive is still needed. */
export function* runningPostImports(snapshots: Snapshots): Generator<Import> {
  for (const { first, count } of slotsOfPartitions(snapshots.placement))
    for (let slot = first; slot < first + count; slot += 1)
      for (const { value } of snapshots.slot(imports, slot))
        if (value.list === 'posts' && value.endedAt === undefined) yield value;
}

/** The status that was made of what its author wrote elsewhere, by the address that it has there. */
export function importedStatusId(reader: Reader, accountId: Id, uri: string): Id | undefined {
  return reader.get(importedPosts, [accountId, uri])?.id;
}

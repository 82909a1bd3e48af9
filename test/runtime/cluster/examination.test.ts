/** How far streams are chains. */
import { beforeEach, expect, test } from 'vitest';
import { examine, goesOnAt } from '../../../src/runtime/cluster/examination.ts';
import { Sealer } from '../../../src/runtime/cluster/sealer.ts';
import { decodeRecord, digestOf, encodeRecord, noDigest } from '../../../src/runtime/cluster/stream-record.ts';
import { MemoryStore } from '../../support/memory-log.ts';
import { MemoryStream } from '../../support/memory-stream.ts';
import { batchAt, StreamOwner } from '../support/stream-owner.ts';

let stream: MemoryStream;
let owner: StreamOwner;

beforeEach(async () => {
  stream = new MemoryStream();
  owner = new StreamOwner(stream, new MemoryStore(), 'first');
  await owner.open(3);
  for (const commit of [1, 2, 3]) await owner.append(commit, 3);
});

const examined = (...asked: number[]) => examine(stream, new Set(asked));

test('a whole stream tells what it has come to, and where copies go on', async () => {
  const found = await examined(2, 9);
  expect(found).toMatchObject({ first: 1, last: 4, standing: { epoch: 3, commit: 3 }, broken: undefined });
  const digest = digestOf(stream.records[1]!.bytes);
  expect([goesOnAt(found, { sequence: 2, digest }), goesOnAt(found, { sequence: 9, digest })]).toEqual([true, false]);
  expect(goesOnAt(found, { sequence: 2, digest: digestOf(digest) })).toBe(false);
});

test('one that has lost its end has come to what is left, and one that begins later to its end', async () => {
  stream.records.pop();
  expect(await examined()).toMatchObject({ last: 3, standing: { epoch: 3, commit: 2 }, broken: undefined });
  await stream.truncate(3);
  expect(await examined()).toMatchObject({ first: 3, last: 3, standing: { epoch: 3, commit: 2 }, broken: undefined });
});

test('a record that was changed ends it', async () => {
  const { bytes, sequence } = stream.records[2]!;
  stream.records[2] = { sequence, bytes: encodeRecord({ ...decodeRecord(bytes), position: 7 }) };
  expect(await examined()).toMatchObject({
    ...{ last: 3, standing: { epoch: 3, commit: 7 } },
    broken: 'Record 4 of the log does not follow the one before it: one of them was changed.',
  });
  stream.records[0] = { sequence: 1, bytes: Buffer.from('nonsense') };
  expect(await examined()).toMatchObject({ last: 0, standing: undefined });
  await stream.truncate(2);
  stream.records[0] = { sequence: 2, bytes: Buffer.from('nonsense') };
  expect((await examined()).broken).toBe('Record 2 of the log cannot be read: it cannot be decoded.');
});

test('the pieces of a state are nothing before the last one, which has the counters', async () => {
  const state = new MemoryStream();
  const sealer = new Sealer('maker', 1_000);
  sealer.goOn(noDigest, 7);
  const piece = { keys: [Buffer.from('a')], values: [Buffer.from('b')] };
  for (const { bytes } of sealer.sealBatch(piece, 4, 'state')) state.store(bytes, state.last);
  expect(await examine(state, new Set())).toMatchObject({ last: 1, standing: undefined });
  for (const { bytes } of sealer.sealBatch(batchAt(7, 4), 4, 'state')) state.store(bytes, state.last);
  expect(await examine(state, new Set())).toMatchObject({ last: 2, standing: { epoch: 4, commit: 7 } });
  expect(await examine(new MemoryStream(), new Set())).toMatchObject({ first: 1, last: 0, standing: undefined });
});

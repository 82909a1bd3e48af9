/** A commit in which LMDB itself fails: tried once more, or refused. */
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LmdbLog } from '../../src/runtime/storage/lmdb-log.ts';
import type { LogRefusal } from '../../src/runtime/storage/log.ts';
import { append, key, recordOf, textOf } from './support/log-batches.ts';
import { answerOf, failCommits } from './support/logs.ts';

describe('a commit in which LMDB itself fails', () => {
  let folder: string;
  let failures: number[];
  let repeats: unknown[];
  let log: LmdbLog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'murmuration-log-'));
    failures = [];
    repeats = [];
    log = new LmdbLog({
      path: join(folder, 'partition'),
      mapBytes: 1 << 26,
      repeated: (cause) => repeats.push((cause as { code: number }).code),
    });
    failCommits(log, () => failures.shift());
    await answerOf((answer) => log.open(1, answer));
  });
  afterEach(async () => {
    await log.close();
    await rm(folder, { recursive: true });
  });

  const badValueSize = -30_781;
  const corrupted = -30_796;
  const mapFull = -30_792;
  const { EIO, ENOSPC } = constants.errno;

  test.each<[string, number[], { refused?: string; repeated: number[] }]>([
    ['a list of free pages that it stumbled over: once more', [badValueSize], { repeated: [badValueSize] }],
    ['the same again: refused', [badValueSize, corrupted], { refused: 'unknown', repeated: [badValueSize] }],
    ['then a full disk: refused as that', [badValueSize, ENOSPC], { refused: 'full', repeated: [badValueSize] }],
    ['no room in the map: refused', [mapFull], { refused: 'full', repeated: [] }],
    ['a failure of the disk: refused, because nobody knows what it wrote', [EIO], { refused: 'unknown', repeated: [] }],
  ])('%s', async (_name, codes, { refused, repeated }) => {
    await append(log, recordOf(1, 1, { last: '1' }));
    failures.push(...codes);
    const outcome = append(log, recordOf(2, 1, { last: '2' })).catch(({ reason }: LogRefusal) => reason);
    expect(await outcome).toBe(refused);
    expect(repeats).toEqual(repeated);
    const position = refused === undefined ? 2 : 1;
    expect(await answerOf((answer) => log.tail(answer))).toEqual({ position, epoch: 1 });
    expect(textOf(log.reader.get(key('last')))).toBe(String(position));
    await append(log, recordOf(position + 1, 1, { last: 'after' }));
    log.reader.refresh();
    expect(textOf(log.reader.get(key('last')))).toBe('after');
  });
});

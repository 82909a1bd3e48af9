/** A log over a stream, against everything that may happen between the two. */
import { beforeEach, describe, expect, test } from 'vitest';
import { examine } from '../../../src/runtime/cluster/examination.ts';
import { keptFrom } from '../../../src/runtime/cluster/kept-records.ts';
import type { Published } from '../../../src/runtime/cluster/stream.ts';
import { decodeRecord, encodeRecord } from '../../../src/runtime/cluster/stream-record.ts';
import { pack } from '../../../src/runtime/codec.ts';
import type { LogRefusal } from '../../../src/runtime/storage/log.ts';
import { MemoryStore } from '../../support/memory-log.ts';
import { MemoryStream } from '../../support/memory-stream.ts';
import { batchAt, StreamOwner } from '../support/stream-owner.ts';

const recordBytes = 4_096;
let stream: MemoryStream;
let store: MemoryStore;
let owner: StreamOwner;

beforeEach(async () => {
  stream = new MemoryStream(recordBytes);
  store = new MemoryStore();
  owner = new StreamOwner(stream, store, 'first');
  await owner.open(1);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const next = (writer: string, view = new MemoryStore()) => new StreamOwner(stream, view, writer);
const batches = () =>
  stream.records.flatMap(({ bytes }) => {
    const { kind, position } = decodeRecord(bytes);
    return kind === 'batch' ? [position] : [];
  });

/** Publishings wait until they are let go, in any order. */
function held(of: StreamOwner = owner) {
  const waiting: { record: Uint8Array; last: number; answer(published: Published): void }[] = [];
  of.stream.onPublish = (record, last) => new Promise((answer) => waiting.push({ record, last, answer }));
  const store = (index: number): Published => stream.store(waiting[index]!.record, waiting[index]!.last);
  return { waiting, store, arrive: (index: number) => waiting[index]!.answer(store(index)) };
}

const unanswered: Published = { kind: 'unanswered', cause: new Error('silence') };

describe('as it should be', () => {
  test('several appends are under way at a time, and complete in their order', async () => {
    const { waiting, arrive } = held();
    const appends = [1, 2, 3].map((commit) => owner.append(commit, 1));
    expect(waiting.map(({ last }) => last)).toEqual([1, 2, 3]);
    for (const index of [0, 1, 2]) arrive(index);
    expect(await Promise.all(appends)).toEqual(['done', 'done', 'done']);
    expect(owner.told.map(([commit]) => commit)).toEqual([1, 2, 3]);
  });

  test('nothing completes, and nothing is seen, before the stream has confirmed it', async () => {
    const { arrive, store: keep } = held();
    const append = owner.append(1, 1);
    const answer = keep(0);
    await turn();
    expect([owner.told, owner.read()]).toEqual([[], undefined]);
    arrive(0);
    expect(answer.kind).toBe('stored');
    await owner.stream.heal();
    void append;
  });

  test('what is confirmed has its place in the transaction of the view', async () => {
    await owner.append(1, 1);
    const again = next('again', store);
    expect(await again.open(1)).toEqual({ position: 1, epoch: 1 });
    expect([await again.append(2, 1), again.read(), batches()]).toEqual(['done', '2', [1, 2]]);
  });

  test('a view that lags is brought up to date from the log', async () => {
    for (const commit of [1, 2, 3]) await owner.append(commit, 1);
    const other = next('second');
    expect(await other.open(2)).toEqual({ position: 3, epoch: 2 });
    expect([other.read(), other.read('batch 2')]).toEqual(['3', '2']);
  });

  test('a batch above the size of a record has parts, of which the last commits it', async () => {
    const large = Buffer.alloc(3 * recordBytes, 'murmuration');
    expect(await owner.append(1, 1, large)).toBe('done');
    expect(stream.records.length).toBeGreaterThan(4);
    const other = next('second');
    await other.open(2);
    expect(other.read()).toBe(large.toString());
  });
});

describe('answers that do not come', () => {
  test('an append that was lost is sent again with the same expectation', async () => {
    owner.stream.loseNext(false);
    const append = owner.append(1, 1);
    await turn();
    owner.stream.heal();
    expect(await append).toBe('done');
    const { published } = owner.stream;
    expect(published.slice(-2).map(({ last }) => last)).toEqual([1, 1]);
    expect(batches()).toEqual([1]);
  });

  test('one whose answer was lost is found in the log, and is not written twice', async () => {
    owner.stream.loseNext(true);
    const append = owner.append(1, 1);
    await turn();
    owner.stream.heal();
    expect(await append).toBe('done');
    expect([batches(), owner.told, owner.read()]).toEqual([[1], [[1, 'done']], '1']);
  });

  test('of several the first is lost: the others follow it, in their order', async () => {
    const { waiting, arrive } = held();
    const appends = [1, 2, 3].map((commit) => owner.append(commit, 1));
    owner.stream.onPublish = undefined;
    waiting[0]!.answer(unanswered);
    arrive(1);
    arrive(2);
    expect(await Promise.all(appends)).toEqual(['done', 'done', 'done']);
    expect([batches(), owner.told.map(([commit]) => commit)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test('when nobody answers for long, all appends are refused, and the tail tells what the log has', async () => {
    owner.stream.loseNext(true);
    const appends = [owner.append(1, 1), owner.append(2, 1)];
    expect(await Promise.all(appends)).toEqual(['unknown', 'unknown']);
    expect(await owner.append(3, 1)).toBe('unknown');
    expect(await owner.tail()).toBe('unknown');
    owner.stream.heal();
    expect(await owner.tail()).toEqual({ position: 1, epoch: 1 });
    expect([owner.read(), await owner.append(2, 1), batches()]).toEqual(['1', 'done', [1, 2]]);
  });

  test('after the answer of the tail an append that is late does not arrive any more', async () => {
    const { waiting, store: keep } = held();
    const append = owner.append(1, 1);
    owner.stream.onPublish = undefined;
    owner.stream.leave();
    waiting[0]!.answer(unanswered);
    expect(await append).toBe('unknown');
    owner.stream.heal();
    expect(await owner.tail()).toEqual({ position: 0, epoch: 1 });
    expect(keep(0)).toEqual({ kind: 'conflict' });
    expect([await owner.append(1, 1), batches()]).toEqual(['done', [1]]);
  });

  test('an answer that names another position does not count', async () => {
    owner.stream.onPublish = (_record, last) => {
      owner.stream.onPublish = undefined;
      return Promise.resolve({ kind: 'stored', sequence: last + 5 });
    };
    expect([await owner.append(1, 1), batches()]).toEqual(['done', [1]]);
  });
});

describe('two owners', () => {
  test('whoever opens the log later shuts out the earlier one, who was asleep', async () => {
    await owner.append(1, 1);
    const { arrive } = held();
    const appends = [2, 3].map((commit) => owner.append(commit, 1));
    const second = next('second');
    expect(await second.open(2)).toEqual({ position: 1, epoch: 2 });
    await second.append(2, 2);
    owner.stream.onPublish = undefined;
    arrive(0);
    arrive(1);
    expect(await Promise.all(appends)).toEqual(['fenced', 'fenced']);
    expect([await owner.tail(), await owner.append(4, 1), owner.read()]).toEqual(['fenced', 'fenced', '1']);
  });

  test('the second of two appends fits behind the barrier that took the place of the first: it does not count', async () => {
    await owner.append(1, 1);
    const { arrive } = held();
    const appends = [2, 3].map((commit) => owner.append(commit, 1));
    const second = next('second');
    await second.open(2);
    arrive(0);
    arrive(1);
    expect(await Promise.all(appends)).toEqual(['fenced', 'fenced']);
    expect(await second.append(2, 2, Buffer.from('of the second'))).toBe('done');
    const third = next('third');
    expect(await third.open(3)).toEqual({ position: 2, epoch: 3 });
    expect([third.read(), third.read('batch 3')]).toEqual(['of the second', undefined]);
  });

  test('a thread that is replaced within its epoch is shut out too', async () => {
    const again = next('again', store);
    expect(await again.open(1)).toEqual({ position: 0, epoch: 1 });
    expect([await owner.append(1, 1), await again.append(1, 1)]).toEqual(['fenced', 'done']);
  });

  test('nobody opens it in an epoch that is over', async () => {
    const second = next('second');
    await second.open(5);
    expect([await next('late').open(4), await second.append(1, 5)]).toEqual(['fenced', 'done']);
  });

  test('the parts of a batch that its owner could not finish are nothing', async () => {
    const { arrive } = held();
    const append = owner.append(1, 1, Buffer.alloc(2 * recordBytes, 'half'));
    arrive(0);
    const second = next('second');
    expect(await second.open(2)).toEqual({ position: 0, epoch: 2 });
    arrive(1);
    for (const index of [2, 3, 4]) arrive(index);
    expect([await append, await second.append(1, 2), second.read()]).toEqual(['fenced', 'done', '1']);
  });
});

describe('what does not fit together', () => {
  const causeOf = async (log: StreamOwner, epoch = 9) => {
    const found = await new Promise((resolve) => log.log.open(epoch, resolve));
    return ((found as LogRefusal).cause as Error).message;
  };

  test('a log without room refuses, and goes on when there is some', async () => {
    stream.recordsMax = stream.records.length + 1;
    const appends = [1, 2].map((commit) => owner.append(commit, 1));
    expect(await Promise.all(appends)).toEqual(['done', 'full']);
    expect(await owner.tail()).toEqual({ position: 1, epoch: 1 });
    stream.recordsMax = Number.POSITIVE_INFINITY;
    expect([await owner.append(2, 1), owner.read()]).toEqual(['done', '2']);
  });

  test('a view that takes nothing: the append is unknown, and is there once the view has room', async () => {
    owner.view.isFull = true;
    expect([await owner.append(1, 1), await owner.tail()]).toEqual(['unknown', 'unknown']);
    owner.view.isFull = false;
    expect([await owner.tail(), owner.read(), batches()]).toEqual([{ position: 1, epoch: 1 }, '1', [1]]);
  });

  test.each([
    [[1]],
    [[1, 2]],
  ])('a view that takes nothing while the log is read to find what was sent (%j): nothing is passed over', async (commits) => {
    const { waiting, store: keep } = held();
    const appends = commits.map((commit) => owner.append(commit, 1));
    expect(commits.map((_, index) => keep(index).kind)).toEqual(commits.map(() => 'stored'));
    owner.stream.onPublish = undefined;
    owner.view.isFull = true;
    const replay = owner.stream.replay.bind(owner.stream);
    owner.stream.replay = async function* slowly(from, to) {
      for await (const stored of replay(from, to)) {
        yield stored;
        for (let turns = 0; turns < 3; turns += 1) await turn();
      }
    };
    for (const { answer } of waiting) answer(unanswered);
    expect(await Promise.all(appends)).toEqual(commits.map(() => 'unknown'));
    owner.view.isFull = false;
    expect(await owner.tail()).toEqual({ position: commits.length, epoch: 1 });
    expect([commits.map((commit) => owner.read(`batch ${commit}`)), batches()]).toEqual([commits.map(String), commits]);
  });

  test('a log that has lost its end is not opened', async () => {
    await owner.append(1, 1);
    stream.records.pop();
    expect(await causeOf(next('again', store))).toBe(
      'The log ends at record 1, and this copy has applied record 2 already.',
    );
  });

  test('one that seems to end earlier, at a leader that was just elected, is asked again', async () => {
    await owner.append(1, 1);
    const [lost] = stream.records.splice(-1);
    const again = next('again', store);
    const { bounds } = again.stream;
    again.stream.bounds = async () => {
      const found = await bounds.call(again.stream);
      stream.records.push(...[lost!].filter(({ sequence }) => sequence > stream.last));
      return found;
    };
    expect(await again.open(2)).toEqual({ position: 1, epoch: 2 });
    expect(await again.append(2, 2)).toBe('done');
  });

  test('a log of another history is not opened', async () => {
    await owner.append(1, 1);
    const { bytes, sequence } = stream.records[1]!;
    stream.records[1] = { sequence, bytes: encodeRecord({ ...decodeRecord(bytes), writer: 'another' }) };
    expect(await causeOf(next('again', store))).toBe('Record 2 of the log is not the one that this copy has applied.');
  });

  test('a record that was changed is found by the one behind it', async () => {
    await owner.append(1, 1);
    await owner.append(2, 1);
    const { bytes, sequence } = stream.records[1]!;
    const record = decodeRecord(bytes);
    const body = Uint8Array.from(record.body).fill(0x61, -1);
    stream.records[1] = { sequence, bytes: encodeRecord({ ...record, body }) };
    expect(await causeOf(next('second'))).toBe(
      'Record 3 of the log does not follow the one before it: one of them was changed.',
    );
  });

  test('a record that is none is damage', async () => {
    await owner.append(1, 1);
    stream.records[1] = { sequence: 2, bytes: Buffer.from('nonsense') };
    expect(await causeOf(next('second'))).toBe('Record 2 of the log cannot be read: it cannot be decoded.');
  });

  test('a record of a newer version is no damage, and is left alone', async () => {
    await owner.append(1, 1);
    stream.records[1] = { sequence: 2, bytes: pack([2, 'whatever that version says']) };
    expect(await causeOf(next('second'))).toBe(
      'A newer version of this server has written it: start that version, or a newer one.',
    );
    await expect(examine(stream, new Set())).rejects.toThrow('A newer version of this server has written it');
  });

  test('a partition that was written without its log does not go on with it', async () => {
    await owner.append(1, 1);
    store.apply(batchAt(2, 1));
    expect(await causeOf(next('again', store))).toBe(
      'The partition was written without its log: the two do not belong together any more.',
    );
  });

  test('a copy that is older than what the log keeps needs a newer one', async () => {
    const behind = new MemoryStore();
    await next('behind', behind).log.catchUp();
    for (const commit of [1, 2, 3]) await owner.append(commit, 1);
    await owner.log.truncate(2);
    expect(await next('new').open(2)).toBe('truncated');
    expect(await next('behind again', behind).open(2)).toBe('truncated');
  });

  test.each([
    [10, [12, 11], 10],
    [10, [12, 7], 7],
    [10, [], 10],
  ])('a log keeps what copies of the snapshot at %d and nodes at %j go on with', (second, read, from) => {
    expect(keptFrom(second, read)).toBe(from);
  });

  test.each([
    ['before it asks', (_: StreamOwner, truncate: () => Promise<void>) => truncate()],
    [
      'while it reads',
      async ({ stream: asked }: StreamOwner, truncate: () => Promise<void>) => {
        const replay = asked.replay.bind(asked);
        asked.replay = async function* late(from, to) {
          asked.replay = replay;
          await truncate();
          yield* replay(from, to);
        };
      },
    ],
  ])('so does one that follows the log, and stands still until what it lacks is gone, %s', async (_when, plan) => {
    const behind = next('behind');
    await behind.log.catchUp();
    for (const commit of [1, 2, 3]) await owner.append(commit, 1);
    await plan(behind, () => owner.log.truncate(2));
    await expect(behind.log.catchUp()).rejects.toMatchObject({ reason: 'truncated' });
  });
});

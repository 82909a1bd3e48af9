import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DoneRanges } from '../../../src/outbound/lanes/done-ranges.ts';
import { LaneQueue } from '../../../src/outbound/lanes/lane-queue.ts';
import { laneLimits } from '../../../src/outbound/lanes/limits.ts';
import { SequenceQueue } from '../../../src/outbound/lanes/sequence-queue.ts';

/** Of the queues of the property below: small, so that there is no room often. */
const capacity = 6;
const anyOrder = { isFree: () => true };

function drain(queue: LaneQueue): number[] {
  const picked: number[] = [];
  for (;;) {
    const next = queue.pick(Number.MAX_SAFE_INTEGER, anyOrder, false);
    if (next === undefined) return picked;
    picked.push(next);
    queue.finish(next);
  }
}

describe('a queue of sequences', () => {
  it('stays sorted whatever is added and removed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.constantFrom('add', 'remove', 'first'))), (steps) => {
        const queue = new SequenceQueue();
        let model: number[] = [];
        for (const [sequence, step] of steps) {
          if (step === 'add' && !model.includes(sequence)) {
            queue.add(sequence);
            model = [...model, sequence].sort((one, other) => one - other);
          } else if (step === 'remove') {
            expect(queue.remove(sequence)).toBe(model.includes(sequence));
            model = model.filter((other) => other !== sequence);
          } else if (step === 'first' && model.length > 0) {
            queue.removeAt(0);
            model = model.slice(1);
          }
          expect(Array.from({ length: queue.length }, (_, index) => queue.at(index))).toEqual(model);
          expect([queue.first, queue.last]).toEqual([model[0] ?? Infinity, model.at(-1) ?? -Infinity]);
          expect(queue.hasBetween(10, 20)).toBe(model.some((other) => other > 10 && other < 20));
        }
      }),
    );
  });
});

describe('ranges that are done', () => {
  it('join where nothing is pending between them', () => {
    const done = new DoneRanges([]);
    const isPending = new Set([3, 8]);
    const isPendingBetween = (after: number, before: number) =>
      [...isPending].some((sequence) => sequence > after && sequence < before);
    for (const sequence of [5, 10, 2, 6, 9, 4]) done.add(sequence, isPendingBetween);
    expect(done.toArray()).toEqual([2, 2, 4, 6, 9, 10]);
    expect([1, 2, 3, 5, 8, 10].filter((sequence) => done.has(sequence))).toEqual([2, 5, 10]);
    isPending.delete(3);
    done.add(3, isPendingBetween);
    expect(done.toArray()).toEqual([2, 6, 9, 10]);
    done.dropThrough(6);
    expect(done.toArray()).toEqual([9, 10]);
  });
});

describe('the queue of a lane', () => {
  it('takes turns between what is old and what is new once the host has recovered', () => {
    const position = { head: 0 };
    const queue = new LaneQueue(position, 0, []);
    for (position.head = 1; position.head <= 4; position.head += 1) queue.offer(position.head, false, true);
    queue.recovered();
    for (let sequence = 5; sequence <= 8; sequence += 1) queue.offer(sequence, sequence === 8, false);
    position.head = 8;
    expect(drain(queue)).toEqual([8, 1, 5, 2, 6, 3, 7, 4]);
    expect(queue.progress()).toEqual({ cursor: 8, ahead: [] });
  });

  it('probes with what was not tried yet', () => {
    const position = { head: 3 };
    const queue = new LaneQueue(position, 0, []);
    for (const sequence of [1, 2, 3]) queue.offer(sequence, false, true);
    for (const expected of [1, 2, 3, 1]) {
      expect(queue.pick(0, anyOrder, true)).toBe(expected);
      queue.giveBack(expected, true);
    }
  });

  it('keeps to the order of the log when too much was done ahead', () => {
    const position = { head: 2_000 };
    const queue = new LaneQueue(position, 0, []);
    for (let sequence = 1; sequence <= 2_000; sequence += 1) queue.offer(sequence, sequence % 2 === 0, true);
    const picked = drain(queue);
    const inOrder = picked.indexOf(1);
    expect(inOrder).toBe(laneLimits.aheadRangesMax);
    expect(picked.slice(inOrder, inOrder + 4)).toEqual([1, 514, 3, 516]);
  });

  it('leaves in the log what it has no room for, and reads it later', () => {
    const position = { head: 0 };
    const queue = new LaneQueue(position, 0, []);
    const full = laneLimits.pendingPerLaneMax;
    for (position.head = 1; position.head <= full + 10; position.head += 1) queue.offer(position.head, false, true);
    position.head -= 1;
    expect([queue.length, queue.hasGap, queue.gapStart]).toEqual([full, true, undefined]);
    queue.recovered();
    for (let sequence = 1; sequence <= full; sequence += 1) queue.finish(queue.pick(0, anyOrder, false)!);
    expect(queue.gapStart).toBe(full + 1);
    expect(queue.progress()).toEqual({ cursor: full, ahead: [] });
    for (let sequence = full + 1; sequence <= position.head; sequence += 1)
      expect(queue.refill(sequence, false)).toBe(true);
    queue.refilledThrough(position.head);
    expect(queue.hasGap).toBe(false);
    expect(drain(queue)).toHaveLength(10);
    expect(queue.progress()).toEqual({ cursor: position.head, ahead: [] });
  });
});

describe('a queue that is narrowed', () => {
  const filled = (urgent: (sequence: number) => boolean, isFailing: boolean) => {
    const position = { head: 0 };
    const queue = new LaneQueue(position, 0, []);
    for (position.head = 1; position.head <= 100; position.head += 1)
      queue.offer(position.head, urgent(position.head), isFailing);
    position.head -= 1;
    return { queue, position };
  };

  it.each([
    ['of a host that does not answer', () => false, true],
    ['of a host that does', () => false, false],
    ['with deliveries that are urgent', (sequence: number) => sequence % 3 === 0, true],
  ] as const)('%s: keeps the lowest in memory and takes nothing new, and loses nothing', (_name, urgent, isFailing) => {
    const { queue, position } = filled(urgent, isFailing);
    queue.narrow(10);
    expect([queue.waiting, queue.hasGap, queue.lowest]).toEqual([10, true, 1]);
    position.head = 101;
    expect(queue.offer(101, false, isFailing)).toBe(false);
    expect(queue.waiting).toBe(10);
    const done: number[] = [];
    while (queue.lowest <= 101) {
      done.push(...drain(queue));
      const from = queue.gapStart;
      if (from === undefined) continue;
      for (let sequence = from; sequence <= 101 && queue.refill(sequence, urgent(sequence)); sequence += 1);
      queue.refilledThrough(queue.waiting > 0 ? 0 : 101);
      expect(queue.waiting).toBeLessThanOrEqual(10);
    }
    expect(done.sort((one, other) => one - other)).toEqual(Array.from({ length: 101 }, (_, index) => index + 1));
  });

  it('sends an urgent delivery once that it holds while its gap begins with it', () => {
    const position = { head: 0 };
    const queue = new LaneQueue(position, 0, [], 2);
    const urgent = [true, true, true, true, false];
    const read = (): boolean => {
      position.head += 1;
      return queue.offer(position.head, urgent[position.head - 1]!, false);
    };
    expect([read(), read(), read()]).toEqual([true, true, false]);
    queue.recovered();
    const first = queue.pick(0, anyOrder, false)!;
    expect([read(), read()]).toEqual([true, false]);
    const second = queue.pick(0, anyOrder, false)!;
    for (const sequence of [first, second]) queue.finish(sequence);
    expect([queue.refill(3, true), queue.refill(4, true)]).toEqual([true, false]);
    expect(drain(queue)).toEqual([3, 4]);
    for (let sequence = queue.gapStart!; sequence <= 5; sequence += 1) queue.refill(sequence, urgent[sequence - 1]!);
    queue.refilledThrough(position.head);
    expect([drain(queue), queue.progress()]).toEqual([[5], { cursor: 5, ahead: [] }]);
  });

  it('holds as much as others again when its host has recovered', () => {
    const { queue } = filled(() => false, true);
    queue.narrow(10);
    drain(queue);
    queue.recovered();
    for (let sequence = 11; sequence <= 100; sequence += 1) expect(queue.refill(sequence, false)).toBe(true);
    expect(queue.waiting).toBe(90);
  });
});

/** A host, its queue, and the log: what was done, and what a new start would find. */
class Model {
  /** By sequence, from 1: what the log holds. */
  readonly log: { readonly concerns: boolean; readonly urgent: boolean }[] = [{ concerns: false, urgent: false }];
  readonly done = new Map<number, number>();
  readonly position = { head: 0 };
  readonly underWay: number[] = [];
  queue = new LaneQueue(this.position, 0, [], capacity);
  isFailing = false;
  now = 0;

  read(): void {
    const sequence = this.position.head + 1;
    const delivery = this.log[sequence];
    if (delivery === undefined) return;
    if (delivery.concerns) this.queue.offer(sequence, delivery.urgent, this.isFailing);
    this.position.head = sequence;
  }

  /** Reads the log again from where the queue is behind. */
  refill(): void {
    const from = this.queue.gapStart;
    if (from === undefined) return;
    for (let sequence = from; sequence <= this.position.head; sequence += 1)
      if (this.log[sequence]!.concerns && !this.queue.refill(sequence, this.log[sequence]!.urgent)) return;
    this.queue.refilledThrough(this.position.head);
  }

  pick(): void {
    const sequence = this.queue.pick(this.now, anyOrder, this.isFailing);
    if (sequence !== undefined) this.underWay.push(sequence);
  }

  end(outcome: string): void {
    const sequence = outcome === 'last delivered' ? this.underWay.pop() : this.underWay.shift();
    if (sequence === undefined) return;
    if (outcome.endsWith('delivered')) this.delivered(sequence);
    else if (outcome === 'refused' && this.queue.tryLater(sequence, this.now + 3)) return;
    else this.queue.giveBack(sequence, this.isFailing);
  }

  delivered(sequence: number): void {
    this.done.set(sequence, (this.done.get(sequence) ?? 0) + 1);
    this.queue.finish(sequence);
  }

  fail(): void {
    if (!this.isFailing) this.queue.failed();
    this.isFailing = true;
  }

  recover(): void {
    if (this.isFailing) this.queue.recovered();
    this.isFailing = false;
  }

  /** The thread starts again with what was written down; requests under way are not known to have ended. */
  restart(): void {
    const { cursor, ahead } = this.queue.progress();
    this.underWay.length = 0;
    this.position.head = 0;
    this.queue = new LaneQueue(this.position, cursor, ahead, capacity);
  }

  finishAll(): void {
    while (this.position.head < this.log.length - 1) this.read();
    this.recover();
    while (this.underWay.length > 0) this.end('delivered');
    do {
      this.refill();
      for (const sequence of drain(this.queue)) this.done.set(sequence, (this.done.get(sequence) ?? 0) + 1);
    } while (this.queue.hasGap);
  }
}

/** What happens, with how often. */
const happenings = { read: 6, pick: 5, delivered: 2, 'last delivered': 3, refused: 1, lost: 1, later: 1, refill: 2 };
const seldom = { fail: 2, recover: 2, restart: 1, narrow: 1 };

it('keeps what arrives while the host fails again and the gap is closed, in a queue narrowed twice', () => {
  const model = new Model();
  for (const concerns of [true, true, true, false, true, true]) model.log.push({ concerns, urgent: false });
  model.read();
  model.queue.narrow(2);
  model.read();
  model.read();
  model.fail();
  model.recover();
  model.fail();
  model.read();
  model.pick();
  model.pick();
  model.read();
  model.refill();
  model.read();
  model.queue.narrow(2);
  model.finishAll();
  expect([...model.done.keys()].sort()).toEqual([1, 2, 3, 5, 6]);
});

it('delivers everything once, whatever happens on the way, and after a new start too', () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ name: fc.constant('append'), concerns: fc.boolean(), urgent: fc.boolean() }),
    },
    ...Object.entries({ ...happenings, ...seldom }).map(([name, weight]) => ({
      weight,
      arbitrary: fc.constant({ name, concerns: false, urgent: false }),
    })),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const model = new Model();
      for (const { name, concerns, urgent } of steps) {
        if (name === 'append') model.log.push({ concerns, urgent });
        else if (name === 'read') model.read();
        else if (name === 'pick') model.pick();
        else if (name === 'fail') model.fail();
        else if (name === 'recover') model.recover();
        else if (name === 'restart') model.restart();
        else if (name === 'narrow') model.queue.narrow(2);
        else if (name === 'refill') model.refill();
        else if (name === 'later') model.now += 1;
        else model.end(name);
      }
      model.finishAll();
      const expected = model.log.flatMap(({ concerns }, sequence) => (concerns ? [[sequence, 1]] : []));
      expect([...model.done].sort(([one], [other]) => one - other)).toEqual(expected);
      expect(model.queue.lowest).toBe(Infinity);
      model.restart();
      model.finishAll();
      expect([...model.done.values()].every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

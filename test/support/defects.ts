/** Defects for tests of rules: each changes what the disks of a server hold, and the check must find it. */
import { keyspaces, rules } from '../../src/actors/catalogue.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { checkServer } from '../../src/runtime/storage/check-server.ts';
import type { AnyKeyspace, Keyspace } from '../../src/runtime/storage/keyspace.ts';
import { timers } from '../../src/runtime/storage/machine.ts';
import type { MemoryStore } from './memory-log.ts';

interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** An entry with what a defect makes of it. */
export interface Changed {
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
  readonly changed: Uint8Array | undefined;
  readonly disk: MemoryStore;
}

export const gone = () => undefined;

export function defectsOn(disks: readonly MemoryStore[]) {
  function problems(): string[] {
    const { partitions } = checkServer({ placement: evenPlacement(disks.length), readers: disks, keyspaces, rules });
    // People of tests have ids of their own choice, and no e-mail addresses.
    const isOfNames = (problem: string) => /is not found by its (name|e-mail address)\.$/.test(problem);
    return partitions.flatMap((outcome) => outcome.problems).filter((problem) => !isOfNames(problem));
  }

  function* entriesOf({ number }: Pick<AnyKeyspace, 'number'>): Generator<Entry & { disk: MemoryStore }> {
    for (const disk of disks)
      for (const { key, value } of [...disk.range({ start: Uint8Array.of(0), end: Uint8Array.of(0xff, 0xff, 0xff) })])
        if (key[2] === number) yield { key, value, disk };
  }

  /** Each entry stands under another key as well. */
  function alsoAt<Key extends readonly unknown[], Value>(space: Keyspace<Key, Value>, other: (key: Key) => Key) {
    return function* (): Generator<Changed> {
      for (const { key, value, disk } of entriesOf(space))
        yield { key: Uint8Array.from(space.encode(other(space.decode(key)))), value: undefined, changed: value, disk };
    };
  }

  /** Changes the value of each entry; undefined deletes it. */
  function every<Key extends readonly unknown[], Value>(
    space: Keyspace<Key, Value>,
    change: (value: Value) => Value | undefined,
  ) {
    return function* (): Generator<Changed> {
      for (const entry of entriesOf(space)) {
        const value = change(space.value.decode(entry.value));
        yield { ...entry, changed: value === undefined ? undefined : space.value.encode(value) };
      }
    };
  }

  /** Adds so many entries beside each one that is there. */
  function more<Value>(space: Keyspace<[bigint, bigint], Value>, count: number) {
    return function* (): Generator<Changed> {
      for (const { key, value, disk } of entriesOf(space)) {
        const [account, other] = space.decode(key);
        for (let added = 1n; added <= count; added += 1n)
          yield { key: space.encode([account, other + added]), value: undefined, disk, changed: value };
      }
    };
  }

  const timerOf = ({ number }: { readonly number: number }) =>
    every(timers, (message) => (message[2] === number ? undefined : message));

  /** What the check finds while the defect is there, as lines. */
  function problemsWith(defect: () => Iterable<Changed>): string {
    const entries = [...defect()];
    if (entries.length === 0) throw new Error('the defect changes nothing');
    for (const { key, changed, disk } of entries) disk.apply({ keys: [key], values: [changed] });
    const found = problems();
    for (const { key, value, disk } of entries) disk.apply({ keys: [key], values: [value] });
    return found.join('\n');
  }

  return { problems, problemsWith, alsoAt, every, more, timerOf };
}

import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { keyspaces, rules } from '../../src/actors/catalogue.ts';
import { assertCatalogue } from '../../src/runtime/storage/keyspace.ts';
import { machineKeyspaces } from '../../src/runtime/storage/machine.ts';

test('every keyspace that an actor declares is in the catalogue', async () => {
  const declared: string[] = [];
  for await (const path of glob('src/actors/**/*.state.ts'))
    declared.push(
      ...Array.from(readFileSync(path, 'utf8').matchAll(/keyspace<.*\n {2}number: (\d+),/g), ([, number]) => number!),
    );
  expect(declared.map(Number).sort((a, b) => a - b)).toEqual(
    keyspaces.map(({ number }) => number).sort((a, b) => a - b),
  );
});

test('every derived keyspace is checked against its source, by a rule or a tally', () => {
  const held = new Set(
    rules.flatMap((rule) =>
      rule.kind === 'tally'
        ? [rule.counter.number, ...rule.counted.map(({ keyspace }) => keyspace.number)]
        : [rule.keyspace.number],
    ),
  );
  const derived = keyspaces.filter((keyspace) => keyspace.derived);
  expect(derived.length).toBeGreaterThan(30);
  expect(derived.filter(({ number }) => !held.has(number)).map(({ name }) => name)).toEqual([]);
});

test('no number is used twice', () => {
  assertCatalogue([...machineKeyspaces, ...keyspaces]);
});

import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { keyspaces, rules } from '../../src/actors/catalogue.ts';
import { assertCatalogue } from '../../src/runtime/storage/keyspace.ts';
import { machineKeyspaces } from '../../src/runtime/storage/machine.ts';
import { machineRules } from '../../src/runtime/storage/machine-rules.ts';

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

/** Numbers of the keyspaces whose entries a rule looks at. */
const ruled = new Set(
  [...machineRules, ...rules].flatMap((rule) =>
    rule.kind === 'tally'
      ? [rule.counter.number, ...rule.counted.map(({ keyspace }) => keyspace.number)]
      : [rule.keyspace.number],
  ),
);
const all = [...machineKeyspaces, ...keyspaces];

test('every derived keyspace is checked against its source, by a rule or a tally', () => {
  const derived = keyspaces.filter((keyspace) => keyspace.derived);
  expect(derived.length).toBeGreaterThan(30);
  expect(derived.filter(({ number }) => !ruled.has(number)).map(({ name }) => name)).toEqual([]);
});

/** What nothing else in the database says: there is nothing to compare it with. */
const plain: Readonly<Record<string, string>> = {
  'place in the stream': 'a partition that was served without its log is elsewhere',
  'muted threads': 'a choice; the thread may be on another server only',
  'dismissed announcements': 'a choice; announcements that are gone are forgotten later',
  'notes on accounts': 'a text; earlier versions did not tell the account',
  'notification policies': 'a choice',
  'notification permissions': 'a choice',
  filters: 'a choice',
  markers: 'a place in a list, whose entry may be gone',
  suggestions: 'interactions that count even when they are gone',
  'versions of conversations': 'rises with each change',
  secrets: 'random',
  'terms of service': 'a text of staff',
  'warning presets': 'texts of staff',
  webhooks: 'a choice of staff, and what they have answered',
  'webhook targets': 'a copy of what the webhooks want; a change may be on its way',
  'moderation notes': 'texts of staff',
  roles: 'a choice of staff; accounts keep the id of one that is gone',
  'weekly activity': 'counts what may be gone by now',
  'daily counts': 'counts what may be gone by now',
  'last moment of the audit log': 'a moment that nobody uses harms nothing; entries have a rule about it',
  'report counts': 'counts what may be gone by now',
  'signature dialects': 'what a host has shown; nothing else refers to it',
  'addresses of threads': 'counted in the record of their thread',
  'steps of threads': 'counted in the record of their thread',
  'joined relays': 'a choice of staff, and what relays have answered',
  'key rotations': 'one record, of what the command line last began',
  'relay destinations': 'a copy of what the relay actor stores, which may be on its way',
  'trends told': 'a memory of what was said',
  'mail route': 'a copy of an option',
  'relay names': 'digests of ids, most of which are gone from the log',
  'relay seen': 'the same',
};

test('every keyspace has a rule, or a reason to have none', () => {
  const without = all.filter(({ number }) => !ruled.has(number)).map(({ name }) => name);
  expect(without.sort()).toEqual(Object.keys(plain).sort());
});

test('a bound by age is verified by a rule', () => {
  const verified = new Set(
    [...machineRules, ...rules].flatMap((rule) =>
      rule.kind === 'awaits' || (rule.kind === 'rule' && rule.verifiesAge === true) ? [rule.keyspace.number] : [],
    ),
  );
  const byAge = all.filter(({ bound }) => bound.by === 'age');
  expect(byAge.length).toBeGreaterThan(5);
  expect(byAge.filter(({ number }) => !verified.has(number)).map(({ name }) => name)).toEqual([]);
});

test('no number is used twice', () => {
  assertCatalogue(all);
});

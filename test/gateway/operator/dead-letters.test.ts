/** The operator's commands about dead letters, over memory partitions. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { profiles } from '../../../src/actors/account/profile/profile.state.ts';
import { PartitionActor } from '../../../src/actors/partition/partition.messages.ts';
import { pack } from '../../../src/runtime/codec.ts';
import { composeId } from '../../../src/runtime/ids.ts';
import { partitionLimits } from '../../../src/runtime/limits.ts';
import { events } from '../../../src/runtime/storage/machine.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import type { MemoryStore } from '../../support/memory-log.ts';
import { typed } from './typing.ts';

let gateway: TestGateway;

beforeEach(() => {
  gateway = startTestGateway({ endpoints: [] });
});

afterEach(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

const run = (line: string) => typed(gateway.services, line, { running: false, closed: () => undefined });

/** In both partitions; one for a name that no terminal should get. */
function putAside(): void {
  for (const [partition, text] of [
    [0, 'first'],
    [1, 'second'],
    [1, 'third\n  of \u001b[2Jtwo lines'],
  ] as const) {
    gateway.actors.clock.advance(1_000);
    gateway.actors.turn(PartitionActor.actor, BigInt(partition), (turn) =>
      turn.tell({ kind: 250, key: text, message: 7, body: {}, partition }),
    );
  }
}

test('list tells that there are none', async () => {
  expect(await run('dead-letters list')).toMatchObject({ code: 0, printed: ['There are no dead letters.'] });
  expect((await run('status')).printed).toContain('Dead letters: 0');
});

test('are counted, and listed with what is needed to find the fault, the newest first', async () => {
  putAside();
  expect((await run('status')).printed).toContain('Dead letters: 3');
  const reason = '250.7: no actor of kind 250 handles the message 7';
  expect((await run('dead-letters list')).printed).toEqual([
    `1-2  2025-01-01T12:00:03.000Z  to third of [2Jtwo lines: ${reason}`,
    `1-1  2025-01-01T12:00:02.000Z  to second: ${reason}`,
    `0-1  2025-01-01T12:00:01.000Z  to first: ${reason}`,
  ]);
  const { printed } = await run('dead-letters list --limit 1');
  expect(printed).toEqual([expect.stringMatching(/^1-2 /), '2 more are older.']);
});

test('are sent again, one or all; what fails again has a new name', async () => {
  putAside();
  expect((await run('dead-letters retry 1-1')).printed).toEqual(['Sent again: 1', 'Failed again: 1']);
  expect((await run('dead-letters list')).printed.map((line) => line.split(' ')[0])).toEqual(['1-3', '1-2', '0-1']);
  expect((await run('dead-letters retry all')).printed).toEqual(['Sent again: 3', 'Failed again: 3']);
});

test('are dropped, one or all', async () => {
  putAside();
  expect((await run('dead-letters drop 0-1')).printed).toEqual(['Dropped: 1']);
  expect(await run('dead-letters drop 0-1')).toEqual({
    code: 1,
    printed: [],
    complaints: ['There is no dead letter 0-1.'],
  });
  expect((await run('dead-letters drop all')).printed).toEqual(['Dropped: 2']);
  expect((await run('dead-letters drop all')).printed).toEqual(['Dropped: 0']);
});

test('are shown with all that they hold', async () => {
  putAside();
  const reason = '250.7: no actor of kind 250 handles the message 7';
  expect((await run('dead-letters show 1-2')).printed).toEqual([
    'Dead letter: 1-2',
    'At: 2025-01-01T12:00:03.000Z',
    'Message: to third of [2Jtwo lines',
    `Error: ${reason}`,
    'Number: 7, caused by: system',
    'Body: {}',
  ]);
  expect(await run('dead-letters show 1-7')).toMatchObject({
    code: 1,
    complaints: ['There is no dead letter 1-7.'],
  });
});

test('that are damaged records are shown with place and bytes, are not sent again, and are dropped', async () => {
  const id = composeId(1, 1, 0);
  const disk = gateway.actors.disks[0] as MemoryStore;
  disk.apply({ keys: [profiles.encode([id])], values: [Uint8Array.of(0xdf, 0xff, 0xff)] });
  putAside();
  gateway.actors.read.get(profiles, [id]);
  gateway.actors.settle();
  const place = `the entry ${id} of profiles`;
  const name = '0-2';
  const error = 'it cannot be decoded: Offset is outside the bounds of the DataView';
  expect((await run('dead-letters list')).printed).toContain(`${name}  2025-01-01T12:00:03.000Z  ${place}: ${error}`);
  expect((await run(`dead-letters show ${name}`)).printed).toEqual([
    `Dead letter: ${name}`,
    'At: 2025-01-01T12:00:03.000Z',
    `Record: ${place}`,
    `Error: ${error}`,
    'Bytes: dfffff',
  ]);
  expect(await run(`dead-letters retry ${name}`)).toMatchObject({
    code: 1,
    complaints: [`The dead letter ${name} is a damaged record, not a message: it cannot be sent again.`],
  });
  expect((await run('dead-letters retry all')).printed).toEqual([
    'Sent again: 3',
    'Failed again: 3',
    'Damaged records, which cannot be sent: 1',
  ]);
  expect((await run(`dead-letters drop ${name}`)).printed).toEqual(['Dropped: 1']);
  expect(disk.get(profiles.encode([id]))).toBeDefined();
  // The folder is checked when the gateway ends.
  disk.apply({ keys: [profiles.encode([id])], values: [undefined] });
});

test('that are damaged records are deleted with their records, while these have not changed', async () => {
  const [id, otherId] = [composeId(1, 1, 0), composeId(1, 2, 0)];
  const [key, other] = [profiles.encode([id]), profiles.encode([otherId])];
  const disk = gateway.actors.disks[0] as MemoryStore;
  const bytes = Uint8Array.of(0xdf, 0xff, 0xff);
  disk.apply({ keys: [key, other], values: [bytes, bytes] });
  putAside();
  for (const damaged of [id, otherId]) gateway.actors.read.get(profiles, [damaged]);
  gateway.actors.settle();
  disk.apply({ keys: [other], values: [undefined] });
  // The partition notices it with a commit.
  putAside();
  const order = (name: string) => run(`dead-letters delete-record ${name}`);
  for (const [name, complaint] of [
    ['all', 'There is no dead letter all.'],
    ['0-7', 'There is no dead letter 0-7.'],
    ['0-1', 'The dead letter 0-1 holds no record of an actor.'],
    ['0-3', 'The record of the dead letter 0-3 has changed since: there is nothing to delete.'],
  ] as const)
    expect(await order(name)).toEqual({ code: 1, printed: [], complaints: [complaint] });
  expect(disk.get(key)).toBeDefined();
  expect((await order('0-2')).printed).toEqual([
    'Deleted. Run "murmuration check" when the server is stopped: it shows what pointed to the record.',
  ]);
  expect(disk.get(key)).toBeUndefined();
  expect(await order('0-2')).toMatchObject({ code: 1, complaints: ['There is no dead letter 0-2.'] });
});

test('that are damaged records of the event log are not deleted, because their events would be missed', async () => {
  const disk = gateway.actors.disks[0] as MemoryStore;
  const key = events.encode([1]);
  const bytes = Uint8Array.from(pack({ at: gateway.actors.clock.now(), events: ['odd'] }));
  disk.apply({ keys: [key], values: [bytes] });
  putAside();
  gateway.services.client.damageMet(0, key);
  gateway.actors.settle();
  expect((await run('dead-letters list')).printed.join('\n')).toContain(
    '0-2  2025-01-01T12:00:03.000Z  the entry 1 of events: it cannot be decoded: ',
  );
  expect(await run('dead-letters delete-record 0-2')).toEqual({
    ...{ code: 1, printed: [] },
    complaints: [
      'The dead letter 0-2 holds a record of the event log, which leaves with those of its time: nothing is deleted.',
    ],
  });
  expect(disk.get(key)).toEqual(bytes);
  // The folder is checked when the gateway ends.
  disk.apply({ keys: [key], values: [undefined] });
});

test('are all handled, also when there are more than one request may name', async () => {
  const count = partitionLimits.lettersPerOrderMax + 3;
  gateway.actors.turn(PartitionActor.actor, 0n, (turn) => {
    for (let number = 0; number < count; number += 1)
      turn.tell({ kind: 250, key: 'x', message: 7, body: {}, partition: 0 });
  });
  expect((await run('dead-letters drop all')).printed).toEqual([`Dropped: ${count}`]);
});

test.each([
  ['list --limit 0', '--limit must be a number from 1 to 50, not 0.'],
  ['list --limit many', '--limit must be a number from 1 to 50, not many.'],
  ['retry', 'ID|all is missing'],
  [
    'bury all',
    'There is: dead-letters list, dead-letters show, dead-letters retry, dead-letters drop, dead-letters delete-record.',
  ],
])('%s is not understood', async (rest, sentence) => {
  const refused = await run(`dead-letters ${rest}`);
  expect(refused.code).toBe(2);
  expect(refused.complaints.join('\n')).toContain(sentence);
});

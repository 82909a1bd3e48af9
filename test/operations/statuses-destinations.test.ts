/** Which servers are told about a status that changes: those of everybody who had to do with it, found in slices. */
import { expect, test } from 'vitest';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import { destinationsOfStatus } from '../../src/operations/statuses/own-status.ts';
import { People } from '../support/people.ts';

const repliesHere = 200;

test('the servers of those who replied, favourited and reblogged are named once each, and others run in between', async () => {
  const people = new People();
  const alice = people.local('alice');
  const bob = people.local('bob');
  const [rita, rosa, ruth] = ['one', 'two', 'three'].map((host) => people.remote(host, `${host}.example`));
  const root = await people.publish(alice);
  for (let number = 0; number < repliesHere; number += 1) await people.publish(bob, { replyTo: root });
  await people.favourite(rita!, root);
  await people.reblog(rosa!, root);
  for (const address of ['1', '2']) await people.receive(ruth!, `https://three.example/${address}`, { replyTo: root });
  const { read } = people.server;
  const steps = destinationsOfStatus({ snapshots: read }, findStatusRecord(read, root.id)!);
  const reads: number[] = [];
  for (;;) {
    const before = read.readCount;
    const { done, value } = steps.next();
    reads.push(read.readCount - before);
    if (!done) continue;
    expect(value.map(({ host }) => host).sort()).toEqual(['one.example', 'three.example', 'two.example']);
    break;
  }
  expect(Math.max(...reads)).toBeLessThan(repliesHere / 2);
});

/** Bytes are kept for as long as somebody refers to them, and removed once nobody does. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blobActor } from '../../../src/actors/blob/blob.actor.ts';
import { removeBlob } from '../../../src/actors/blob/blob.effects.ts';
import { Blob } from '../../../src/actors/blob/blob.messages.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { entryCounts } from '../../support/entry-counts.ts';

const name = `${'a'.repeat(43)}.png`;
const bytes = 1_000;
const hour = 60 * 60 * 1_000;
const day = 24 * hour;
const [alices, bobs] = [11n, 12n];

let server: TestServer;

beforeEach(() => {
  server = createTestServer({ actors: [blobActor], keyspaces });
});

afterEach(() => expect(server.problems).toEqual([]));

const announce = () => server.call(Blob.announce.to(name, { bytes }));
const tell = (message: Parameters<TestServer['send']>[0]) => {
  server.send(message);
  server.settle();
};
const hold = (holderId: bigint) => tell(Blob.hold.to(name, { holderId, bytes }));
const release = (holderId: bigint) => tell(Blob.release.to(name, { holderId }));
const removals = () => server.effects.filter(({ effect }) => effect === removeBlob.number);
const known = () => entryCounts(server).blobs ?? 0;

describe('announced bytes', () => {
  beforeEach(announce);

  test('that nobody holds within a day are removed', async () => {
    server.clock.advance(day - 1);
    expect(removals()).toEqual([]);
    server.clock.advance(1);
    expect(removals()).toMatchObject([{ request: { name } }]);
    await expect(announce()).rejects.toMatchObject({ code: 'overloaded' });
    removals()[0]!.answer({});
    server.settle();
    expect(known()).toBe(0);
    await announce();
    expect(known()).toBe(1);
  });

  test('that are held stay', async () => {
    hold(alices);
    server.clock.advance(10 * day);
    expect(removals()).toEqual([]);
  });

  test('that two hold go an hour after the last of them', async () => {
    hold(alices);
    hold(bobs);
    server.clock.advance(2 * day);
    release(alices);
    server.clock.advance(day);
    expect(removals()).toEqual([]);
    release(bobs);
    server.clock.advance(hour - 1);
    expect(removals()).toEqual([]);
    server.clock.advance(1);
    expect(removals()).toHaveLength(1);
  });

  test('that are released and announced again stay for another day', async () => {
    hold(alices);
    server.clock.advance(2 * day);
    release(alices);
    await announce();
    server.clock.advance(day - 1);
    expect(removals()).toEqual([]);
    hold(bobs);
    server.clock.advance(10 * day);
    expect(removals()).toEqual([]);
  });
});

test('holding and releasing twice changes nothing', async () => {
  await announce();
  hold(alices);
  hold(alices);
  release(alices);
  release(alices);
  server.clock.advance(day);
  expect(removals()).toHaveLength(1);
});

test('a holder that comes while the bytes are removed keeps the record, and they can be stored again', async () => {
  await announce();
  server.clock.advance(day);
  hold(alices);
  removals()[0]!.answer({});
  server.settle();
  await announce();
  expect(known()).toBe(1);
  server.clock.advance(10 * day);
  expect(removals()).toHaveLength(1);
});

/** Moving blobs to another store while the server runs. */
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobActor } from '../../../src/actors/blob/blob.actor.ts';
import { Blob } from '../../../src/actors/blob/blob.messages.ts';
import { blobs } from '../../../src/actors/blob/blob.state.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import { commands } from '../../../src/gateway/operator/commands/commands.ts';
import { blobMove } from '../../../src/operations/media/move-blobs.ts';
import { namingSecret } from '../../../src/operations/media/store-files.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import { blobNameOf } from '../../../src/services/blobs/blob-names.ts';
import type { BlobName, BlobStore } from '../../../src/services/blobs/blob-store.ts';
import { FolderStore } from '../../../src/services/blobs/folder-store.ts';
import type { Services } from '../../../src/services/services.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';
import { testServices } from '../../support/services.ts';

let folder: string;
let server: TestServer;
let services: Services;
let to: FolderStore;
let from: FolderStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmuration-move-'));
  server = createTestServer({ actors: [blobActor, instanceActor], keyspaces });
  services = testServices(server, { elsewhere: new Map(), home: undefined });
  to = new FolderStore(join(folder, 'to'));
  from = new FolderStore(join(folder, 'from'));
  useStores(to);
});

afterEach(() => {
  expect(readdirSync(folder).includes('between') ? readdirSync(join(folder, 'between')) : []).toEqual([]);
  rmSync(folder, { recursive: true });
});

function useStores(current: BlobStore): void {
  const blobStores = { current, earlier: [from], folderBetween: join(folder, 'between') };
  Object.assign(services, { blobStores });
}

async function put(text: string, { isHeld = true, bytes = text } = {}): Promise<BlobName> {
  const file = join(folder, 'upload');
  writeFileSync(file, text);
  const secret = await namingSecret(services);
  const name = await blobNameOf(createReadStream(file), 'image/png', secret);
  writeFileSync(file, bytes);
  await from.put(name, file);
  if (isHeld) tell(Blob.hold.to(name, { holderId: 7n, bytes: text.length }));
  return name;
}

function tell(message: Parameters<TestServer['send']>[0]): void {
  server.send(message);
  server.settle();
}

async function namesIn(store: FolderStore): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of store.list()) names.push(name);
  return names.toSorted();
}

const advance = () => blobMove(services).advance(60_000);

test('every blob leaves its store when the other has returned its bytes', async () => {
  const names = [await put('one'), await put('three'), await put('')];
  expect(await advance()).toEqual({
    ...{ state: 'done', all: { files: 3, bytes: 8 }, moved: { files: 3, bytes: 8 }, damaged: [], unknown: 0 },
  });
  expect([await namesIn(from), await namesIn(to)]).toEqual([[], names.toSorted()]);
  expect(await advance()).toMatchObject({ state: 'done', all: { files: 0 }, moved: { files: 0 } });
});

test('a move that failed goes on with what is left', async () => {
  for (let number = 0; number < 20; number += 1) await put(`blob ${number}`);
  let room = 7;
  const full: BlobStore = Object.assign(Object.create(to) as FolderStore, {
    put: async (name: BlobName, file: string) => {
      if (room === 0) throw new Failure('storageUnavailable');
      room -= 1;
      await to.put(name, file);
    },
  });
  useStores(full);
  await expect(advance()).rejects.toMatchObject({ code: 'storageUnavailable' });
  expect([(await namesIn(from)).length, (await namesIn(to)).length]).toEqual([13, 7]);
  room = 100;
  expect(await advance()).toMatchObject({ state: 'done', all: { files: 13 }, moved: { files: 13 } });
  expect([(await namesIn(from)).length, (await namesIn(to)).length]).toEqual([0, 20]);
});

test('a blob that was copied before the server was killed leaves its store without a second copy', async () => {
  const name = await put('one');
  const file = join(folder, 'upload');
  await to.put(name, file);
  expect(await advance()).toMatchObject({ moved: { files: 1 } });
  expect([await namesIn(from), await namesIn(to)]).toEqual([[], [name]]);
});

test('damaged blobs stay, and nothing that the other store returns differently leaves', async () => {
  const damaged = await put('one', { bytes: 'other bytes' });
  const file = join(folder, 'half');
  writeFileSync(file, 'tw');
  const halved = await put('two');
  await to.put(halved, file);
  const names = [damaged, halved].toSorted();
  const progress = await advance();
  expect({ ...progress, damaged: progress.damaged.toSorted() }).toMatchObject({
    ...{ state: 'done', moved: { files: 0 }, damaged: names },
  });
  expect(await namesIn(from)).toEqual(names);
});

test('blobs to which nothing refers stay', async () => {
  const name = await put('one', { isHeld: false });
  expect(await advance()).toMatchObject({ state: 'done', moved: { files: 0 }, unknown: 1 });
  expect(await namesIn(from)).toEqual([name]);
});

test('a blob whose last holder leaves during its move is removed later', async () => {
  const name = await put('one');
  const slow: BlobStore = Object.assign(Object.create(to) as FolderStore, {
    put: async (_name: BlobName, file: string) => {
      await to.put(name, file);
      tell(Blob.release.to(name, { holderId: 7n }));
      server.clock.advance(3_600_000);
      // The store is told to remove it, which finishes before the check.
      const removal = server.effects.find(({ request }) => (request as { name?: string }).name === name)!;
      removal.answer({});
      server.settle();
    },
  });
  useStores(slow);
  expect(server.read.get(blobs, [name])?.name).toBe(name);
  expect(await advance()).toMatchObject({ moved: { files: 1 } });
  expect(server.read.get(blobs, [name])).toMatchObject({ awaitedUntil: server.clock.now() + 24 * 3_600_000 });
});

test('the command goes on until it is done, and tells how far it is', async () => {
  await put('one');
  const command = commands.find(({ words }) => words === 'media move')!;
  const done = await command.run!(services, {});
  expect(done).toEqual({ lines: ['Moved 1 file, 0.0 MB.'], goesOn: false });
  expect(await command.run!(services, {})).toEqual({ lines: ['There was nothing to move.'], goesOn: false });
});

/** The files of one upload are stored together. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobActor } from '../../../src/actors/blob/blob.actor.ts';
import { blobs } from '../../../src/actors/blob/blob.state.ts';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import { namingSecret, storeFiles } from '../../../src/operations/media/store-files.ts';
import type { BlobName } from '../../../src/services/blobs/blob-store.ts';
import { FolderStore } from '../../../src/services/blobs/folder-store.ts';
import type { Services } from '../../../src/services/services.ts';
import { createTestServer } from '../../support/actors.ts';
import { testServices } from '../../support/services.ts';

async function uploadOf(texts: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = createTestServer({ actors: [blobActor, instanceActor], keyspaces });
  const services: Services = testServices(server, { elsewhere: new Map(), home: undefined });
  const store = new FolderStore(join(folder, 'store'));
  const steps: string[] = [];
  const { client } = services;
  Object.assign(services, {
    blobs: {
      ...store,
      put: async (...given: Parameters<FolderStore['put']>) => {
        steps.push('put');
        await store.put(...given);
      },
    },
    client: {
      ...client,
      call: async (...given: Parameters<typeof client.call>) => {
        steps.push('announced');
        const answer = await client.call(...given);
        steps.push('answered');
        return answer;
      },
    },
  });
  const files = texts.map((text, index) => {
    const file = join(folder, String(index));
    writeFileSync(file, text);
    return { file, mediaType: 'image/png', bytes: text.length };
  });
  // Makes the secret.
  await namingSecret(services);
  steps.length = 0;
  return { server, services, store, files, steps };
}

test('all are announced before one of them is awaited, and stored when all are announced', async () => {
  const { server, services, store, files, steps } = await uploadOf(['picture', 'preview', 'still']);
  const held = await storeFiles(services, files);
  const each = (step: string) => Array.from(files, () => step);
  expect(steps).toEqual([...each('announced'), ...each('answered'), ...each('put')]);
  expect(held.map(({ bytes }) => bytes)).toEqual([7, 7, 5]);
  for (const { name } of held) {
    expect(await store.has(name as BlobName)).toBe(true);
    expect(server.read.get(blobs, [name])?.name).toBe(name);
  }
});

test('the same bytes twice are one blob', async () => {
  const { services, store, files } = await uploadOf(['picture', 'picture']);
  const [one, other] = await storeFiles(services, files);
  expect(one).toEqual(other);
  expect(await store.has(one!.name as BlobName)).toBe(true);
});

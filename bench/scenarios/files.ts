/** GET of a file of 1 MB that the server keeps. */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobFolder } from '../../src/server/folder/data-folder.ts';
import type { BlobName } from '../../src/services/blobs/blob-store.ts';
import { FolderStore } from '../../src/services/blobs/folder-store.ts';
import { httpRequest } from '../generators/http-load.ts';
import { httpRatio } from './http-ratio.ts';

const bytes = 1_048_576;
const name = `${'b'.repeat(43)}.webp` as BlobName;

export const filesScenario = httpRatio({
  name: 'files',
  what: 'GET of a file of 1 MB from the store',
  ratioAtLeast: 0.6,
  connections: 4,
  async before(dataDirectory) {
    const file = join(dataDirectory, 'file');
    writeFileSync(file, randomBytes(bytes));
    await new FolderStore(blobFolder(dataDirectory)).put(name, file);
    rmSync(file);
  },
  requests: (_facts, host) => [httpRequest('GET', host, `/media/${name}`)],
});

/** Uploads whose files are not where they were received. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeUpload } from '../../../src/operations/media/decode-upload.ts';
import { IncomingFiles } from '../../../src/services/media/incoming-files.ts';
import type { NetworkServices } from '../../../src/services/network-services.ts';

test.each([
  'file',
  'thumbnail',
])('a %s that was lost with its machine is a fault that its author is told', async (what) => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-decode-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const incoming = new IncomingFiles(folder);
  const there = await incoming.write(Buffer.from('bytes'));
  const upload = { file: there, thumbnail: there, [what]: 'gone' };
  // Nothing else is asked for a file that is not there.
  const services = { incoming } as unknown as NetworkServices;
  expect(await decodeUpload(services, 7n, upload)).toEqual({
    ...{ mediaId: 7n, upload },
    failure: 'The uploaded file is gone: upload it again',
  });
});

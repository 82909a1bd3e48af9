/** How much room is left on the disk with the data of the server. */
import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

export interface FreeSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export const freeSpace = operation({
  input: z.object({}),
  permission: 'viewDashboard',
  audit: reads,
  /** Undefined where there is no data folder. */
  async run({ services }): Promise<FreeSpace | undefined> {
    const found = await statfs(services.options.dataDirectory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (found === undefined) return undefined;
    const { bavail, blocks, bsize } = found;
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
});

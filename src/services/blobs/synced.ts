/** Waits for the disk. */
import { open } from 'node:fs/promises';

/** Settles when a file, or the entries of a folder, are on disk. */
export async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** File systems of a few kB or MB, mounted for one process: they need Linux and user namespaces. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

/** Why none can be had here, if so. */
export async function smallDisksMissing(): Promise<string | undefined> {
  try {
    await promisify(execFile)('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', tmpdir()]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

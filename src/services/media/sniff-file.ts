/** Tells what a file of this machine is by its first bytes. */
import { open } from 'node:fs/promises';
import { type SniffedType, sniffedBytes, sniffMedia } from './sniff.ts';

export async function sniffFile(file: string): Promise<SniffedType | undefined> {
  const handle = await open(file, 'r');
  try {
    const head = Buffer.alloc(sniffedBytes);
    const { bytesRead } = await handle.read(head, 0, sniffedBytes, 0);
    return sniffMedia(head.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

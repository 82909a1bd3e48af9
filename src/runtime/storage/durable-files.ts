/** Writes files that survive a power loss. LMDB syncs its own; these are the other files of the data folder. */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

export function writeDurably(file: string, content: string | Uint8Array): void {
  const descriptor = openSync(file, 'w', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes what others wrote into a file durable. */
export function syncFile(path: string): void {
  syncFolder(path);
}

/** Makes the entries of a folder durable (new names, renames). */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Files that a power loss cannot take back: LMDB sees to its own, these are the others of the data folder. */
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

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

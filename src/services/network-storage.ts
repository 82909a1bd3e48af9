/** Asks a network thread what takes the disk space. */
import type { AskNetwork } from './resolver.ts';
import { type StorageService, type StorageState, storageTopic } from './storage.ts';

/** Any would do. */
const measuringThread = 0;

export function networkStorage(ask: AskNetwork): StorageService {
  return { state: () => ask<StorageState>(measuringThread, storageTopic, {}) };
}

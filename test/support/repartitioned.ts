/** Partitions in memory under another placement, as the command of the operator makes them. */
import { actors, keyspaces, rules } from '../../src/actors/catalogue.ts';
import { relocations } from '../../src/actors/relocations.ts';
import { evenPlacement } from '../../src/runtime/placement.ts';
import { repartitioned } from '../../src/runtime/storage/repartition.ts';
import { MemoryStore } from './memory-log.ts';

export function repartitionedStores(from: readonly MemoryStore[], partitions: number): MemoryStore[] {
  const stores = Array.from({ length: partitions }, () => new MemoryStore());
  const identityOf = (number: number) => ({ folder: 'f', number, partitions, epoch: 1, format: 3 });
  const to = evenPlacement(partitions);
  for (const { partition, key, value } of repartitioned({
    ...{ from, to, actors, keyspaces, relocations, rules, identityOf },
  }))
    stores[partition]!.apply({ keys: [key], values: [value] });
  return stores;
}

/**
 * Scopes of sparse keyspaces that are known to be empty, in two generations: the older one is dropped as a whole when
 * the younger is full, so that scopes in frequent use stay.
 */
import { partitionLimits } from '../limits.ts';

export class EmptyScopes {
  private readonly generationMax: number;
  private young = new Set<string>();
  private old = new Set<string>();

  constructor(bytesMax: number) {
    this.generationMax = Math.floor(bytesMax / partitionLimits.emptyScopeBytes / 2);
  }

  has(scope: string): boolean {
    if (this.young.has(scope)) return true;
    if (!this.old.delete(scope)) return false;
    this.add(scope);
    return true;
  }

  add(scope: string): void {
    if (this.young.size >= this.generationMax) {
      this.old = this.young;
      this.young = new Set();
    }
    this.young.add(scope);
  }

  delete(scope: string): void {
    this.young.delete(scope);
    this.old.delete(scope);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }
}

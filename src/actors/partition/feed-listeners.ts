/**
 * Which accounts have open streams, as reported by each gateway. Reports are idempotent, and those of a replaced
 * gateway are forgotten together.
 */
export class FeedListeners {
  /** By the number of the gateway's thread. */
  private readonly byCaller = new Map<number, Set<bigint>>();

  listen(caller: number, accountId: bigint, listening: boolean): void {
    let accounts = this.byCaller.get(caller);
    if (accounts === undefined) {
      accounts = new Set();
      this.byCaller.set(caller, accounts);
    }
    if (listening) accounts.add(accountId);
    else accounts.delete(accountId);
  }

  isListening(accountId: bigint): boolean {
    for (const accounts of this.byCaller.values()) if (accounts.has(accountId)) return true;
    return false;
  }

  /** All listening accounts. */
  accounts(): ReadonlySet<bigint> {
    return new Set([...this.byCaller.values()].flatMap((accounts) => [...accounts]));
  }

  /** Returns the accounts that listened through that gateway. */
  forget(caller: number): ReadonlySet<bigint> {
    const accounts = this.byCaller.get(caller);
    this.byCaller.delete(caller);
    return accounts ?? new Set();
  }
}

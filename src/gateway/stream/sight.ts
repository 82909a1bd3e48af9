/**
 * What a viewer does not want to see, compiled for streams: loaded once per listening account, again when it changes.
 */

import type { StatusFacts } from '../../actors/account/account.events.ts';
import { type HiddenAccounts, hiddenAccounts } from '../../actors/account/statuses.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';

export class Sight {
  readonly accountId: Id;
  private readonly snapshots: Snapshots;
  private hidden: HiddenAccounts;

  constructor(snapshots: Snapshots, accountId: Id) {
    this.accountId = accountId;
    this.snapshots = snapshots;
    this.hidden = hiddenAccounts(snapshots.fresh(), accountId);
  }

  reload(): void {
    this.hidden = hiddenAccounts(this.snapshots.fresh(), this.accountId);
  }

  /** True when nothing is hidden: every public status may be sent without asking. */
  get isClear(): boolean {
    return this.hidden.size === 0;
  }

  shows(facts: StatusFacts, now: number): boolean {
    if (this.hidden.size === 0) return true;
    if (this.hides(facts.accountId, now)) return false;
    return facts.reblogOfAccountId === undefined || !this.hides(facts.reblogOfAccountId, now);
  }

  private hides(accountId: Id, now: number): boolean {
    const until = this.hidden.get(accountId);
    return until !== undefined && until > now;
  }
}

/** Brings entries of the index up to date with what is stored now: running any of it twice changes nothing. */
import { soundProfile, soundStatus } from '../../actors/account/everything.queries.ts';
import { isInterested } from '../../actors/account/library.queries.ts';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Id } from '../../runtime/ids.ts';
import { unlessDamaged } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { entryOf } from './entry.ts';
import type { IndexFile } from './index-file.ts';

export class Indexer {
  private readonly snapshots: Snapshots;
  private readonly file: IndexFile;

  constructor(snapshots: Snapshots, file: IndexFile) {
    this.snapshots = snapshots;
    this.file = file;
  }

  status(statusId: Id): void {
    const status = soundStatus(this.snapshots, statusId);
    if (status !== undefined) this.store(status);
    else {
      this.file.putEntry(statusId, undefined);
      this.file.forgetInterests(statusId);
    }
  }

  /** One that was just read. */
  store(status: Status): void {
    if (status.reblogOfId !== undefined) return;
    const author = this.profile(status.accountId);
    const interested = this.file.interestedIn(status.id);
    this.file.putEntry(status.id, author && entryOf(status, author, interested));
  }

  /** `isLater`: the status will be read anyway. */
  interest(accountId: Id, statusId: Id, isLater: boolean): void {
    const isNow = unlessDamaged(() => isInterested(this.snapshots, accountId, statusId)) === true;
    const counts = isNow && this.isLocal(accountId);
    if (this.file.setInterest(statusId, accountId, counts) && !isLater) this.status(statusId);
  }

  /** `isLater`: the statuses of the account will be read anyway. */
  account(accountId: Id, isLater: boolean): void {
    const isIndexable = this.profile(accountId)?.indexable === true;
    if (this.file.setIndexable(accountId, isIndexable) && !isLater) this.file.setAuthorToRead(accountId, 0n);
  }

  isLocal(accountId: Id): boolean {
    const profile = this.profile(accountId);
    return profile !== undefined && profile.remote === undefined;
  }

  private profile(accountId: Id): Profile | undefined {
    return soundProfile(this.snapshots, accountId);
  }
}

/**
 * Applies what streams must no longer show: hidden accounts, revoked tokens, accounts that may not sign in any more, public
 * timelines that are closed.
 */
import { filtersChanged } from '../../actors/account/filters/filters.events.ts';
import { listChanged } from '../../actors/account/lists/lists.events.ts';
import { findLocalAccount, loginStateOf } from '../../actors/account/profile/logins.queries.ts';
import { profileChanged } from '../../actors/account/profile/profile.events.ts';
import { hiddenAccountsChanged } from '../../actors/account/relationships/relationships.events.ts';
import { feedAccessChanged } from '../../actors/instance/instance.events.ts';
import { roleChanged } from '../../actors/instance/roles/roles.events.ts';
import { loginChanged, tokenRevoked } from '../../actors/session/session.events.ts';
import type { FeedServices } from '../../operations/timelines/feed-access.ts';
import { isEvent, type LoggedEvent } from '../../runtime/events/event.ts';
import type { Id } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { PublicGroups } from './public-groups.ts';
import type { CloseReason, Connection } from './subscriber.ts';
import type { Viewer } from './viewer.ts';

export interface RevocationsOptions {
  readonly services: FeedServices & Pick<GatewayServices, 'report'>;
  readonly viewers: ReadonlyMap<Id, Viewer>;
  readonly connections: ReadonlySet<Connection>;
  readonly groups: PublicGroups;
}

export class Revocations {
  private readonly options: RevocationsOptions;

  constructor(options: RevocationsOptions) {
    this.options = options;
  }

  /** Does nothing for any other event. */
  apply(event: LoggedEvent): void {
    if (isEvent(event, hiddenAccountsChanged) || isEvent(event, filtersChanged)) this.filterAgain(event.body.accountId);
    else if (isEvent(event, listChanged) && event.body.concernsHome) this.filterAgain(event.body.accountId);
    else if (isEvent(event, tokenRevoked)) this.close(({ grant }) => grant.tokenId === event.body.tokenId, 'revoked');
    else if (isEvent(event, loginChanged) || isEvent(event, profileChanged)) this.checkLogin(event.body.accountId);
    else if (isEvent(event, feedAccessChanged) || isEvent(event, roleChanged))
      this.readFeedsAgain(this.options.viewers.values());
  }

  /**
   * Reads what decides about the streams of an account. Where that cannot be read, such as a damaged record, nobody
   * knows what they must not show: they are closed.
   */
  readOrClose(accountId: Id, read: () => void): void {
    try {
      read();
    } catch (error) {
      this.options.services.report({ level: 'error', message: 'the streams of an account were closed', error });
      this.close(({ grant }) => grant.accountId === accountId, 'shutdown');
    }
  }

  private filterAgain(accountId: Id): void {
    const viewer = this.options.viewers.get(accountId);
    if (viewer === undefined) return;
    this.readOrClose(accountId, () => viewer.load(this.options.services));
    this.reassign(viewer);
  }

  /** Who reads the public timelines may have changed. */
  private readFeedsAgain(viewers: Iterable<Viewer>): void {
    for (const viewer of [...viewers])
      this.readOrClose(viewer.accountId, () => {
        if (viewer.readFeeds(this.options.services)) this.reassign(viewer);
      });
  }

  private reassign(viewer: Viewer): void {
    for (const subscriber of viewer.subscribers) {
      // Queued frames were still visible: write them before the answer to the block or mute can leave.
      subscriber.connection.flush?.();
      this.options.groups.reassign(subscriber);
    }
  }

  private checkLogin(accountId: Id): void {
    const { services, viewers } = this.options;
    const { snapshots } = services;
    const viewer = viewers.get(accountId);
    if (viewer === undefined) return;
    this.readFeedsAgain([viewer]);
    this.readOrClose(accountId, () => {
      const account = findLocalAccount(snapshots, accountId);
      const mayStream =
        account !== undefined && account.profile.suspendedAt === undefined && loginStateOf(account) === 'active';
      if (!mayStream) this.close(({ grant }) => grant.accountId === accountId, 'revoked');
    });
  }

  private close(concerns: (connection: Connection) => boolean, reason: CloseReason): void {
    for (const connection of [...this.options.connections]) if (concerns(connection)) connection.close(reason);
  }
}

/**
 * Notifications as their owner sees them. Blocks and mutes apply here as well as when a notification is created, so
 * that undoing them shows older notifications again. Those about a status that is deleted or not visible are left out,
 * and so are those for staff when the owner no longer is.
 */

import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import {
  allNotifications,
  asksForFiltered,
  findNotification,
  isChosen,
  isSilenced,
  keptNotifications,
  type NotificationChoice,
  notificationVersionSpaces,
  notificationVersions,
} from '../../actors/account/notifications/notifications.queries.ts';
import type { Notification, NotificationType } from '../../actors/account/notifications/notifications.records.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { type Page, type PageBounds, PageInMaking, rangeOf } from '../../actors/pages.ts';
import type { HeldRole } from '../../actors/policy/roles.ts';
import { concernsRole, isForStaff } from '../../actors/policy/staff.ts';
import type { Viewer } from '../../actors/policy/visibility.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { CachedNotification, knownNotifications } from './cached-notification.ts';
import type { AccountFacts, CachedAccount, EncodedForms } from './cached-status.ts';
import { visibleCollection } from './collections.ts';
import { presentationLimits } from './limits.ts';
import { NotificationReading, type NotificationViewer } from './notification-reading.ts';
import type { Presenter } from './presenter.ts';
import { findShownReport } from './reports.ts';
import type { ShownNotification } from './shown-notification.ts';
import { atOnce, type SliceMeter } from './slice.ts';
import type { Source, SourceRecorder } from './sources.ts';
import { type CachedList, type Stretch, storedStretches, VersionedLists } from './versioned-lists.ts';

/** About the memory of a notification with its encoded forms and what is shown of it. */
const notificationBytes = 1_000;

if (presentationLimits.notificationsKeptMax > notificationLimits.keptMax - notificationLimits.trimmedAtOnce)
  throw new Error('the cached newest notifications must not include those that the bound may remove');

export class NotificationPresenter<Forms extends EncodedForms> {
  private readonly services: Pick<Services, 'snapshots' | 'now'>;
  private readonly statuses: Presenter<Forms>;
  private readonly recent: VersionedLists<CachedNotification<ShownNotification<Forms>>>;

  constructor(services: Pick<Services, 'snapshots' | 'now' | 'caches' | 'events'>, statuses: Presenter<Forms>) {
    this.services = services;
    this.statuses = statuses;
    const { snapshots, caches, events } = services;
    this.recent = new VersionedLists({
      events,
      bytesMax: caches.bytesMax('notifications'),
      entryBytes: notificationBytes,
      readFirst: presentationLimits.notificationsReadFirst,
      readNext: presentationLimits.notificationsReadNext,
      keptMax: presentationLimits.notificationsKeptMax,
      storedVersions: (accountId) => snapshots.stored(notificationVersionSpaces, [accountId]),
      versionsOf: (accountId) => notificationVersions(snapshots, accountId),
      read: (accountId, bounds) => knownNotifications(keptNotifications(snapshots, accountId, rangeOf(bounds))),
      // Nothing of a stored notification ever changes but what became of an appeal.
      isSame: (cached, stored) => stateOfAppeal(cached) === stateOfAppeal(stored),
    });
    caches.measure('notifications', this.recent);
  }

  /** What slices are measured by. */
  get meter(): SliceMeter {
    return this.statuses;
  }

  /** The current newest notifications of an account. */
  newest(accountId: Id): CachedList<CachedNotification<ShownNotification<Forms>>> {
    return this.recent.current(accountId);
  }

  page(accountId: Id, choice: NotificationChoice, bounds: PageBounds): Page<ShownNotification<Forms>> {
    return atOnce(pageOf(this.reading(this.newest(accountId), choice, false), choice, bounds));
  }

  /** The same in slices (see TimeSlices). `newest`: the current list, where it was asked for already. */
  *pageInSlices(
    accountId: Id,
    choice: NotificationChoice,
    bounds: PageBounds,
    newest: CachedList<CachedNotification<ShownNotification<Forms>>> | undefined = undefined,
  ): Generator<undefined, Page<ShownNotification<Forms>>> {
    const reading = this.reading(newest ?? this.newest(accountId), choice, true);
    const page = yield* pageOf(reading, choice, bounds);
    return reading.hasPaused ? yield* pageOf(reading.again(), choice, bounds) : page;
  }

  /** `pauses`: whether in slices. */
  reading(
    newest: CachedList<CachedNotification<ShownNotification<Forms>>>,
    choice: NotificationChoice,
    pauses: boolean,
  ): NotificationReading<ShownNotification<Forms>, CachedAccount<Forms> | undefined> {
    return new NotificationReading(this, newest, choice, pauses);
  }

  /** Undefined for an unknown notification, or one not shown to the account. */
  one(accountId: Id, notificationId: Id): ShownNotification<Forms> | undefined {
    const stored = findNotification(this.services.snapshots, accountId, notificationId);
    return stored === undefined ? undefined : this.viewer(accountId).show(new CachedNotification(stored));
  }

  /** All notifications within the bounds, before visibility; the limit of the bounds is ignored. */
  stretches(
    newest: CachedList<CachedNotification<ShownNotification<Forms>>>,
    choice: NotificationChoice,
    bounds: PageBounds,
  ): Iterable<Stretch<CachedNotification<ShownNotification<Forms>>>> {
    if (!asksForFiltered(choice)) return this.recent.stretches(newest, bounds);
    const { snapshots } = this.services;
    return storedStretches(knownNotifications(allNotifications(snapshots, newest.accountId, rangeOf(bounds))));
  }

  viewer(accountId: Id): NotificationViewer<ShownNotification<Forms>, CachedAccount<Forms> | undefined> {
    type Shown = ShownNotification<Forms>;
    const { recorder } = this.statuses;
    const { viewer, viewerVersion, status, formOf } = this.statuses.owner(accountId, 'notification');
    const showStatus = lastKept(recorder, status);
    const isFor = this.rolesOf(accountId);
    const showCollection = (collectionId: Id) => visibleCollection(this.services.snapshots, collectionId, viewer);
    const showReport = (reportId: Id) => findShownReport(this.services, reportId, accountId);
    const isSubjectShown = ({ type, isForStaff, notification }: CachedNotification<Shown>): boolean => {
      const { statusId, collectionId, reportId } = notification;
      if (isForStaff && !isFor(type)) return false;
      if (reportId !== undefined && showReport(reportId) === undefined) return false;
      if (collectionId !== undefined && showCollection(collectionId) === undefined) return false;
      return statusId === undefined || showStatus(statusId) !== undefined;
    };
    const isHeard = (known: CachedNotification<Shown>): boolean => {
      const before = known.heardSender(viewerVersion);
      recorder.add(before);
      if (before !== undefined) return true;
      const { accountId: fromId } = known.notification;
      const sender = this.statuses.accountFacts(fromId);
      const { readCount } = this.statuses;
      const isShown = known.isForStaff ? sender?.isSuspended === false : this.isVisible(viewer, fromId, sender);
      if (isShown && this.statuses.readCount === readCount && viewerVersion.isCurrent)
        known.keepHeard(sender!, viewerVersion);
      return isShown;
    };
    const senderOf = ({ notification }: CachedNotification<Shown>): CachedAccount<Forms> | undefined => {
      const sender = this.statuses.account(notification.accountId);
      return sender && formOf(sender);
    };
    const decide = (known: CachedNotification<Shown>): Shown | undefined => {
      const from = isSubjectShown(known) ? senderOf(known) : undefined;
      if (from === undefined || !isHeard(known)) return undefined;
      const { id, notification, isFiltered } = known;
      const { statusId, collectionId, reportId } = notification;
      const collection = collectionId === undefined ? undefined : showCollection(collectionId);
      const status = statusId === undefined ? undefined : showStatus(statusId);
      const report = reportId === undefined ? undefined : showReport(reportId);
      const about = { ...(collection && { collection }), ...(report && { report }) };
      return { id, notification, isFiltered, from, status, known, ...about, alone: undefined };
    };
    return {
      // No event announces a change of the role: notifications that depend on it are decided each time.
      show: (known) => (known.isForStaff ? decide(known) : recorder.decide(known, viewerVersion, decide)),
      isShown(known) {
        const decision = recorder.decided(known, viewerVersion);
        return decision === undefined ? isSubjectShown(known) && isHeard(known) : decision.shown !== undefined;
      },
      isHeard,
      senderOf,
    };
  }

  /**
   * Whether the account may get notifications of a type now. Its role is looked up only where the type depends on it.
   */
  private rolesOf(accountId: Id): (type: NotificationType) => boolean {
    let role: HeldRole | undefined;
    return (type) => {
      if (!isForStaff(type)) return true;
      const { snapshots } = this.services;
      role ??= heldRole(snapshots, findLogin(snapshots, accountId) ?? { role: 'user' });
      return concernsRole(type, role);
    };
  }

  /** Undefined where no notifications of this sender are shown. */
  sender(accountId: Id, fromId: Id): CachedAccount<Forms> | undefined {
    const sender = this.statuses.account(fromId);
    const isVisible = this.isVisible(this.statuses.viewer(accountId), fromId, sender);
    return isVisible ? this.statuses.accountFor(sender!, accountId) : undefined;
  }

  private isVisible(viewer: Viewer, fromId: Id, sender: AccountFacts | undefined): boolean {
    if (sender === undefined || sender.isSuspended || viewer.hidesDomain(sender.domain)) return false;
    return !viewer.blocks(fromId) && !(viewer.mutes(fromId) && this.isSilenced(viewer.accountId!, fromId));
  }

  private isSilenced(accountId: Id, fromId: Id): boolean {
    return isSilenced(this.services.snapshots, accountId, fromId, this.services.now());
  }
}

function stateOfAppeal({ notification }: { readonly notification: Notification }): number | undefined {
  const { appeal } = notification.warning ?? {};
  return appeal?.decidedAt ?? appeal?.at;
}

function* pageOf<Shown, From>(
  reading: NotificationReading<Shown, From>,
  choice: NotificationChoice,
  bounds: PageBounds,
): Generator<undefined, Page<Shown>> {
  const making = new PageInMaking<Shown>(bounds);
  yield* reading.each(bounds, (known) =>
    making.take(known.id, isChosen(known.notification, choice) ? reading.viewer.show(known) : undefined),
  );
  return making.page;
}

/** Adjacent notifications are often about the same status: it is looked up once. */
function lastKept<Shown>(
  recorder: SourceRecorder,
  ask: (statusId: Id) => Shown | undefined,
): (statusId: Id) => Shown | undefined {
  let last: Id | undefined;
  let shown: Shown | undefined;
  let sources: readonly Source[] | undefined;
  return (statusId) => {
    if (statusId === last && sources !== undefined) {
      recorder.addAll(sources);
      return shown;
    }
    last = statusId;
    ({ made: shown, sources } = recorder.note(() => ask(statusId)));
    return shown;
  };
}

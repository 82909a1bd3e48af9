/** Notifications as they are stored, whoever is shown them. */
import {
  allNotifications,
  asksForFiltered,
  isChosen,
  keptNotifications,
  type NotificationChoice,
} from '../../src/actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../src/actors/account/notifications/notifications.records.ts';
import { type Page, type PageBounds, rangeOf, takePage } from '../../src/actors/pages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';

export function storedNotifications<Item>(
  reader: Reader,
  accountId: Id,
  choice: NotificationChoice,
  bounds: PageBounds,
  make: (id: Id, notification: Notification, isFiltered: boolean) => Item | undefined,
): Page<Item> {
  const read = asksForFiltered(choice) ? allNotifications : keptNotifications;
  const entries = read(reader, accountId, rangeOf(bounds));
  return takePage(
    entries,
    bounds,
    ({ id }) => id,
    ({ id, notification, isFiltered }) =>
      isChosen(notification, choice) ? make(id, notification, isFiltered) : undefined,
  );
}

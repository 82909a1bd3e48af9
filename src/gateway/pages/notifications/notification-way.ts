/** GET /web/notifications/:id: where a push message leads, to the page of what it tells of. */

import { findNotification } from '../../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../../actors/account/notifications/notifications.records.ts';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { findStatus } from '../../../actors/account/status-views.queries.ts';
import { parseId } from '../../../runtime/ids.ts';
import { redirect } from '../../http/answers.ts';
import { memberPage } from '../page-handler.ts';
import { accountPath, statusPath, strikesPath } from '../parts/links.ts';
import type { MemberVisit } from '../visit.ts';

/** Where all of them are. */
const listPath = '/notifications';

export const notificationWay = memberPage((visit, { pathParameters }) => {
  const id = parseId(pathParameters.id ?? '');
  const found = id === undefined ? undefined : findNotification(visit.services.snapshots, visit.account.id, id);
  return redirect((found && pathOf(visit, found.notification)) ?? listPath, 303);
});

function pathOf(visit: MemberVisit, notification: Notification): string | undefined {
  const { type, accountId, statusId, collectionId, reportId } = notification;
  const { snapshots } = visit.services;
  if (statusId !== undefined) {
    const view = findStatus(snapshots, statusId);
    return view && statusPath(visit, view);
  }
  switch (type) {
    case 'follow': {
      const account = findAccount(snapshots, accountId);
      return account && accountPath(visit, account.profile);
    }
    case 'follow_request':
      return '/follow_requests';
    case 'moderation_warning':
      return strikesPath;
    case 'added_to_collection':
    case 'collection_update':
      return collectionId === undefined ? undefined : `/collections/${collectionId}`;
    case 'admin.report':
      return reportId === undefined ? undefined : `/admin/reports/${reportId}`;
    case 'admin.sign_up':
      return `/admin/accounts/${accountId}`;
    default:
      return undefined;
  }
}

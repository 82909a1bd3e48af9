/** Marks an announcement as read by the caller. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { listAnnouncements } from '../../actors/instance/announcements/announcements.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const dismissAnnouncement = operation({
  input: z.object({ announcementId: identifier }),
  permission: 'manageOwnAccount',
  async run({ caller, services }, { announcementId }) {
    const present = listAnnouncements(services.snapshots).map(({ id }) => id);
    if (!present.includes(announcementId)) throw new Failure('notFound');
    await services.client.call(
      Account.dismissAnnouncement.to(caller.accountId, { announcementId, present }),
      flowOf(caller),
    );
  },
});

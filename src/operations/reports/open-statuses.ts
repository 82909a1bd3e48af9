/** The statuses of an account that staff may act on without a report: those that everybody here may read. */
import { identifier } from '../../actors/account/account.records.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import { statusEntriesOf } from '../../actors/account/statuses/account-statuses.queries.ts';
import { type Page, takePage } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import { pageInput } from '../administration/domain-blocks.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { filledPage } from '../timelines/filled-page.ts';
import { isOpenToStaff } from './act-on-statuses.ts';

/** Latest first. */
export const listOpenStatuses = operation({
  input: pageInput.extend({ accountId: identifier }),
  permission: 'sanctionAccounts',
  audit: reads,
  /** Not empty while there is something to show. */
  run({ services: { snapshots } }, { accountId, ...bounds }): Page<Id> | Promise<Page<Id>> {
    const openId = (statusId: Id) => {
      const status = findStatusRecord(snapshots, statusId);
      return status !== undefined && isOpenToStaff(status) ? statusId : undefined;
    };
    return filledPage(bounds, (part) =>
      takePage(
        statusEntriesOf(snapshots, accountId, part),
        part,
        ({ id }) => id,
        ({ id }) => openId(id),
      ),
    );
  },
});

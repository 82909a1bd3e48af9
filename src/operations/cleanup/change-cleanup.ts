/** The rule by which the caller deletes its posts once they are old. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { cleanupOf } from '../../actors/account/cleanup/cleanup.queries.ts';
import { CleanupPolicy } from '../../actors/account/cleanup/cleanup.records.ts';
import { cleanupLimits } from '../../actors/account/cleanup/limits.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { invalid, refuseFields } from '../refused-fields.ts';

/** What is offered to whoever has no rule, as in Mastodon. */
const offered: CleanupPolicy = {
  ageSecondsMin: 14 * 24 * 60 * 60,
  keepsDirect: true,
  keepsPinned: true,
  keepsPolls: false,
  keepsMedia: false,
  keepsFavourited: true,
  keepsBookmarked: true,
};

export function cleanupPolicyOf(
  { snapshots }: Pick<Services, 'snapshots'>,
  accountId: Id,
): { readonly isOn: boolean; readonly policy: CleanupPolicy } {
  const known = cleanupOf(snapshots, accountId);
  return { isOn: known !== undefined, policy: known?.policy ?? offered };
}

export const changeCleanup = operation({
  /** Without a policy nothing is deleted any more. */
  input: z.object({ policy: CleanupPolicy.optional() }),
  permission: 'manageOwnAccount',
  /** Throws FieldsRefused. */
  async run({ caller, services }, { policy }): Promise<void> {
    if (policy !== undefined) check(policy);
    await services.client.call(Account.changeCleanup.to(caller.accountId, { policy }), flowOf(caller));
  },
});

function check({ ageSecondsMin, favouritesMin = 1, reblogsMin = 1 }: CleanupPolicy): void {
  const { ageSecondsMin: least, ageSecondsMax, countMax } = cleanupLimits;
  const within = (value: number, min: number, max: number) =>
    Number.isSafeInteger(value) && value >= min && value <= max ? [] : [invalid];
  refuseFields({
    ageSecondsMin: within(ageSecondsMin, least, ageSecondsMax),
    favouritesMin: within(favouritesMin, 1, countMax),
    reblogsMin: within(reblogsMin, 1, countMax),
  });
}

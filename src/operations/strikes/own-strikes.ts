/**
 * What staff have done about the caller, and what the caller says against it: also while the account is disabled or
 * suspended.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findWarning, type StoredWarning, warningsOf } from '../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import { staffWith } from '../../actors/account/profile/staff.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { pageInput } from '../administration/domain-blocks.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { blank, refuseFields, tooLong } from '../refused-fields.ts';
import { exceedsCharacters } from '../text-lengths.ts';

/** Latest first. */
export const listOwnStrikes = operation({
  input: pageInput,
  permission: 'manageOwnAccount',
  run: ({ caller, services }, bounds): Page<StoredWarning> => warningsOf(services.snapshots, caller.accountId, bounds),
});

export const showOwnStrike = operation({
  input: z.object({ strikeId: identifier }),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound. */
  run: ({ caller, services }, { strikeId }): StoredWarning => strikeOf(services, caller.accountId, strikeId),
});

export const appealStrike = operation({
  input: z.object({ strikeId: identifier, text: z.string() }),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound, and validation for one that was appealed already, or too long ago. */
  async run({ caller, services }, { strikeId, text: given }): Promise<StoredWarning> {
    const text = cleanText(given);
    const { appealCharactersMax: max } = notificationLimits;
    refuseFields({ text: text === '' ? [blank] : exceedsCharacters(text, max) ? [tooLong(max)] : [] });
    const staffIds = staffWith(services.snapshots, 'manageAppeals');
    await services.client.call(Account.appeal.to(caller.accountId, { strikeId, text, staffIds }), flowOf(caller));
    return strikeOf(services, caller.accountId, strikeId);
  },
});

/** Whether an account may still appeal against it. */
export function isAppealable({ appeal, createdAt }: StoredWarning, now: number): boolean {
  return appeal === undefined && now <= createdAt + notificationLimits.appealMilliseconds;
}

function strikeOf({ snapshots }: Pick<Services, 'snapshots'>, accountId: Id, strikeId: Id): StoredWarning {
  const strike = findWarning(snapshots, accountId, strikeId);
  if (strike === undefined) throw new Failure('notFound');
  return strike;
}

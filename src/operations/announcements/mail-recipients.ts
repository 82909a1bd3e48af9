/** Finds who gets an announcement by mail, or is told of terms of service, a slice at a time. Runs on network threads. */
import { localAccountsAfter } from '../../actors/account/account-lists.queries.ts';
import { mailOf } from '../../actors/account/mail/mail.queries.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findMailRecipients } from '../../actors/instance/announcements/announcements.effects.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { findTermsReaders } from '../../actors/instance/terms/terms.effects.ts';
import { wantsMail } from '../../actors/policy/mail-topics.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

const { recipientsPerSlice } = instanceLimits;

type Reads = Pick<Services, 'snapshots'>;

/** Whoever can be told by mail at all. */
function isReached({ snapshots }: Reads, accountId: Id): boolean {
  const login = findLogin(snapshots, accountId);
  return login?.confirmed === true && login.approved && !login.disabled;
}

/** The accounts after one, and the last one looked at where there are more. */
function sliceOf({ snapshots }: Reads, after: Id | undefined): { accountIds: Id[]; after?: Id } {
  const found = snapshots.partitions.flatMap((reader) => localAccountsAfter(reader, recipientsPerSlice, after));
  const slice = found.sort((one, other) => (one < other ? -1 : 1)).slice(0, recipientsPerSlice);
  const next = slice.length < recipientsPerSlice ? undefined : slice.at(-1);
  return {
    accountIds: slice.filter((one) => isReached({ snapshots }, one)),
    ...(next !== undefined && { after: next }),
  };
}

export function mailRecipientsRunner(reads: Reads): readonly [number, EffectRunner<unknown, unknown>] {
  const wants = (accountId: Id) => wantsMail(mailOf(reads.snapshots, accountId).settings, 'announcement');
  return runnerOf(findMailRecipients, async ({ announcementId, after }) => {
    const { accountIds, ...next } = sliceOf(reads, after);
    return { announcementId, accountIds: accountIds.filter(wants), ...next };
  });
}

/** Everybody, whatever mails they have switched off. */
export function termsReadersRunner(reads: Reads): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(findTermsReaders, async ({ day, after }) => ({ day, ...sliceOf(reads, after) }));
}

/** Finds who gets an announcement by mail, a slice at a time. Runs on network threads. */
import { localAccountsAfter } from '../../actors/account/account-lists.queries.ts';
import { mailOf } from '../../actors/account/mail/mail.queries.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { findMailRecipients } from '../../actors/instance/announcements/announcements.effects.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import { wantsMail } from '../../actors/policy/mail-topics.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';

const { recipientsPerSlice } = instanceLimits;

export function mailRecipientsRunner({
  snapshots,
}: Pick<Services, 'snapshots'>): readonly [number, EffectRunner<unknown, unknown>] {
  const wants = (accountId: Id) => {
    const login = findLogin(snapshots, accountId);
    if (login === undefined || !login.confirmed || !login.approved || login.disabled) return false;
    return wantsMail(mailOf(snapshots, accountId).settings, 'announcement');
  };
  return runnerOf(findMailRecipients, async ({ announcementId, after }) => {
    const found = snapshots.partitions.flatMap((reader) => localAccountsAfter(reader, recipientsPerSlice, after));
    const slice = found.sort((one, other) => (one < other ? -1 : 1)).slice(0, recipientsPerSlice);
    const next = slice.length < recipientsPerSlice ? undefined : slice.at(-1);
    return { announcementId, accountIds: slice.filter(wants), ...(next !== undefined && { after: next }) };
  });
}

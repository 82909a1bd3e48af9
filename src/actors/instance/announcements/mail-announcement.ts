/**
 * Sends an announcement by mail to everybody here who wants it, once: some accounts at a time, with a pause in between, so
 * that mails that matter more wait for few of these, and none has to make room in the log. Slices go by the ids of
 * accounts, which no change of the partitions moves.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { Account } from '../../account/account.messages.ts';
import { recordAudit } from '../../audit.state.ts';
import { Instance } from '../instance.messages.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { announcementOf } from './announcements.actor.ts';
import { findMailRecipients } from './announcements.effects.ts';
import { announcements } from './announcements.state.ts';

export function mailAnnouncement(
  turn: InstanceTurn,
  { announcementId, audit }: BodyOf<typeof Instance.mailAnnouncement>,
): undefined {
  const before = announcementOf(turn, announcementId);
  if (before.mailedAt !== undefined) throw validationFailure('This announcement was sent by mail already');
  turn.put(announcements, [turn.self.key, announcementId], { ...before, mailedAt: turn.now });
  recordAudit(turn, audit, { targetId: announcementId, name: before.text });
  findRecipients(turn, { announcementId });
}

/** The timer between two slices. */
export function findRecipients(turn: InstanceTurn, slice: BodyOf<typeof Instance.findRecipients>): undefined {
  turn.effect(findMailRecipients, slice, Instance.recipientsFound);
}

/** Nobody is told any more once it was withdrawn; mails that wait then are not sent. */
export function recipientsFound(
  turn: InstanceTurn,
  { announcementId, accountIds, after }: BodyOf<typeof Instance.recipientsFound>,
): undefined {
  if (turn.get(announcements, [turn.self.key, announcementId]) === undefined) return;
  for (const accountId of accountIds)
    turn.tell(Account.mail.to(accountId, { content: { kind: 'announcement', announcementId } }));
  if (after === undefined) return;
  const { recipientsPauseMilliseconds } = instanceLimits;
  turn.schedule(
    turn.now + recipientsPauseMilliseconds,
    Instance.findRecipients.to(turn.self.key, { announcementId, after }),
  );
}

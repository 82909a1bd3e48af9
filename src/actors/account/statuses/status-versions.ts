/** The versions of a status before each of its edits (behaviour of the Mastodon API: its history). */
import type { AccountTurn } from '../account.turn.ts';
import { statusLimits } from './limits.ts';
import type { Status } from './statuses.records.ts';
import { statusVersions } from './statuses.state.ts';

/** Call with the status as it was before an edit. */
export function keepVersion(turn: AccountTurn, before: Status): void {
  const { versionsMax } = statusLimits;
  const kept = Array.from(turn.range(statusVersions, [before.id], { limit: versionsMax }), ({ key }) => key);
  if (kept.length === versionsMax) turn.delete(statusVersions, kept[1]!);
  const { createdAt, editedAt, content, spoilerText, sensitive, emojis, attachments, poll, quote } = before;
  turn.put(statusVersions, [before.id, turn.nextId()], {
    createdAt: editedAt ?? createdAt,
    content,
    spoilerText,
    sensitive,
    emojis,
    attachments,
    pollOptions: poll?.options,
    quotedStatusId: quote?.statusId,
  });
}

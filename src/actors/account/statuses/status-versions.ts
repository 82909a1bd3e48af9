/** The versions of a status before each of its edits (behaviour of the Mastodon API: its history). */
import { versionOf } from '../../policy/status-parts.ts';
import type { AccountTurn } from '../account.turn.ts';
import { statusLimits } from './limits.ts';
import type { Status } from './statuses.records.ts';
import { statusVersions } from './statuses.state.ts';

/** Call with the status as it was before an edit. */
export function keepVersion(turn: AccountTurn, before: Status): void {
  const { versionsMax } = statusLimits;
  const kept = Array.from(turn.range(statusVersions, [before.id], { limit: versionsMax }), ({ key }) => key);
  if (kept.length === versionsMax) turn.delete(statusVersions, kept[1]!);
  turn.put(statusVersions, [before.id, turn.nextId()], versionOf(before));
}

/** What turns do about the poll of a status: its totals are stored beside the status, and a timer ends it. */

import type { StatusHooks } from '../statuses/status-hooks.ts';
import { statuses } from '../statuses/statuses.state.ts';
import { putStatus } from '../statuses/statuses.turn.ts';
import { pollCounted } from './polls.events.ts';
import { pollVotes } from './polls.state.ts';
import { takeTally } from './remote-tally.ts';
import { changePoll, openPoll, removePoll } from './store-poll.ts';

export const pollHooks: StatusHooks = {
  stored: (turn, status, counted) => openPoll(turn, status, counted?.tally),
  reported: takeTally,
  /** Only its end changes. */
  adjusted(turn, before, after) {
    if (after.poll?.expiresAt === before.poll?.expiresAt) return false;
    putStatus(turn, { ...turn.get(statuses, [before.id])!, poll: after.poll });
    changePoll(turn, before, after);
    turn.emit(pollCounted, { statusId: before.id });
    return true;
  },
  changed: (turn, before, after, received) => changePoll(turn, before, after, received?.tally),
  removed(turn, { id, poll }) {
    if (poll !== undefined) removePoll(turn, id);
  },
  sweeps: [{ number: 6, entries: pollVotes }],
};

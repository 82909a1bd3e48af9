/** Markers: a client that moves one must have read its latest version (behaviour of the Mastodon API). */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { AccountTurn } from '../account.turn.ts';
import { markerMessages } from './markers.messages.ts';
import { type Markers, timelinesWithMarkers } from './markers.records.ts';
import * as state from './markers.state.ts';

/** Throws conflict where another client moved a marker meanwhile; then none is moved. */
function moveMarkers(turn: AccountTurn, moves: BodyOf<typeof markerMessages.moveMarkers>): Markers {
  const before = turn.get(state.markers, [turn.self.key]) ?? {};
  const moved: Markers = {};
  for (const timeline of timelinesWithMarkers) {
    const move = moves[timeline];
    if (move === undefined) continue;
    const version = before[timeline]?.version ?? 0;
    if (move.seenVersion !== version) throw new Failure('conflict');
    moved[timeline] = { lastReadId: move.lastReadId, version: version + 1, updatedAt: turn.now };
  }
  turn.put(state.markers, [turn.self.key], { ...before, ...moved });
  return moved;
}

export const markersFeature = feature<AccountTurn>()({
  messages: markerMessages,
  handlers: { moveMarkers },
  state: [state],
});

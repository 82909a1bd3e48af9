/**
 * A local account has begun to need statuses of which their authors are not told: it reports or filters them, or will answer or
 * quote them. Event numbers are append-only over all actors: this file has 82.
 */
import { z } from 'zod';
import { eventType } from '../../runtime/events/event.ts';
import { identifier } from './account.records.ts';
import type { AccountTurn } from './account.turn.ts';

export const statusesKept = eventType(
  82,
  'statuses kept',
  z.object({ accountId: identifier, statusIds: z.array(identifier) }),
);

export function keepStatuses(turn: AccountTurn, ids: readonly (bigint | undefined)[]): void {
  const statusIds = ids.filter((id) => id !== undefined);
  if (statusIds.length > 0) turn.emit(statusesKept, { accountId: turn.self.key, statusIds });
}

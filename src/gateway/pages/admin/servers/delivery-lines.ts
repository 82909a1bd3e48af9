/** How deliveries to another server go, in words. */
import type { KnownServer } from '../../../../operations/administration/servers.ts';
import { type DeliveryError, lastErrorOf } from '../../../../services/delivery-lanes.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import { fullTime } from '../../parts/time.ts';
import type { StaffVisit } from '../visitor.ts';

export function stateBadge({ words }: StaffVisit, { delivery: { state } }: KnownServer): Html | undefined {
  if (state === 'working' || state === 'unknown') return undefined;
  return html`<span class="badge">${words.servers.known.states[state]}</span>`;
}

/** What waits and what went wrong; nothing where all is well. */
export function deliveryLine(visit: StaffVisit, { delivery }: KnownServer): Html | undefined {
  const words = visit.words.servers.known;
  const { lane, failingSince, lastDeliveredAt } = delivery;
  const error = lastErrorOf(lane);
  const lines = [
    lane !== undefined && lane.pending > 0 && waiting(visit, lane),
    failingSince !== undefined && words.failingSince({ time: fullTime(visit, failingSince) }),
    lane?.nextAttemptAt !== undefined && words.nextAttempt({ time: fullTime(visit, lane.nextAttemptAt) }),
    error !== undefined && words.error({ time: fullTime(visit, error.at), reason: reasonOf(visit, error) }),
    lastDeliveredAt !== undefined && words.delivered({ time: fullTime(visit, lastDeliveredAt) }),
  ].filter((line) => line !== false);
  if (lines.length === 0) return undefined;
  return html`<p class="fine">${lines.map((line, index) => html`${index > 0 && ' · '}${line}`)}</p>`;
}

function waiting({ words }: StaffVisit, { pending, hasMore }: { readonly pending: number; readonly hasMore: boolean }) {
  const { known } = words.servers;
  return hasMore ? known.waitingMore({ count: pending }) : known.waiting({ count: pending });
}

/** Why a request was not taken, for people. */
export function reasonOf(
  { words }: Pick<StaffVisit, 'words'>,
  { status, fault = 'other' }: Partial<DeliveryError>,
): string {
  const { answered, faults } = words.servers.known;
  if (status !== undefined) return answered({ status: String(status) });
  return Object.hasOwn(faults, fault) ? faults[fault as keyof typeof faults] : faults.other;
}

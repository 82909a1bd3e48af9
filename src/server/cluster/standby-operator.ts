/** Commands of the operator on a node that stands by. */
import { type AdminAnswer, AdminRequest } from '../../gateway/operator/admin/requests.ts';
import type { Departure } from './departure.ts';
import type { Standby } from './standby.ts';

export function standbyOperator(
  standby: Standby,
  departure: Pick<Departure, 'leave'>,
): (request: unknown) => Promise<AdminAnswer> {
  return (request) => Promise.resolve(answerTo(AdminRequest.safeParse(request).data?.command));

  function answerTo(command: string | undefined): AdminAnswer {
    if (command === 'status') return { ok: true, lines: [standby.sentence, ...linesOf(standby)] };
    if (command === 'cluster leave') {
      departure.leave();
      return { ok: true, lines: ['This node stands by no longer, and ends.'] };
    }
    return { ok: false, sentence: `${standby.sentence} Commands belong there.` };
  }
}

function linesOf({ lags }: Standby): string[] {
  return lags.map(
    ({ partition, records, seconds }) =>
      `Partition ${partition}: ${records} records behind, up to date ${seconds} s ago`,
  );
}

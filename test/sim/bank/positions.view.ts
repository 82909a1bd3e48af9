/** A view of the lengths of requested journals: read once, then updated by events. */
import type { EventBatch, EventRecipients } from '../../../src/runtime/events/event.ts';
import type { PartitionView } from '../../../src/runtime/partition/views.ts';
import type { Reader } from '../../../src/runtime/storage/reader.ts';
import type { Receipt } from './account.messages.ts';
import { ledgers } from './account.state.ts';

export class PositionsView implements PartitionView {
  readonly name = 'positions';
  private readonly positions = new Map<bigint, number>();
  private reader: Reader | undefined;

  opened(reader: Reader): void {
    this.reader = reader;
    this.positions.clear();
  }

  /** Throws where an event is missing, which empties the view and is reported. */
  committed({ events }: EventBatch): EventRecipients[] {
    const recipients: EventRecipients[] = [];
    for (const [index, { body }] of events.entries()) {
      const { account, position } = body as Receipt;
      const known = this.positions.get(account);
      if (known === undefined) continue;
      if (position > known + 1) throw new Error(`the view heard of entry ${position} of ${account} after ${known}`);
      this.positions.set(account, Math.max(known, position));
      recipients.push({ index, ids: [account] });
    }
    return recipients;
  }

  control(request: unknown): number {
    const account = request as bigint;
    const known = this.positions.get(account) ?? this.reader!.get(ledgers, [account])?.position ?? 0;
    this.positions.set(account, known);
    return known;
  }
}

/**
 * Views: state in memory that follows a partition's committed events, such as home feeds. A view is never durable: after
 * a crash it starts empty and is filled again. It knows nothing but what is committed, so whoever has the log can run it.
 */
import type { EventBatch, EventRecipients } from '../events/event.ts';
import type { Reader } from '../storage/reader.ts';

export interface PartitionView {
  readonly name: string;
  /** The partition was opened, or opened again after a failed append: forget everything. `reader` shows what is committed. */
  opened(reader: Reader, commit: number): void;
  /** Called in commit order, before the replies of that commit leave; tells whom an event concerns, if the view knows. */
  committed(batch: EventBatch): readonly EventRecipients[];
  /** A request from another thread, such as "warm this feed"; `caller` is that thread's number. */
  control(request: unknown, caller: number): unknown;
  /** That thread is gone and another has its number: what it said of itself no longer holds. */
  callerReplaced?(caller: number): void;
}

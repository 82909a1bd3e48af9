/**
 * Views: state in memory that follows a partition's committed events, such as home feeds. A view is never durable:
 * after a crash it starts empty and is filled again. It sees committed state only, so it can run wherever the log can
 * be read.
 */
import type { EventBatch, EventRecipients } from '../events/event.ts';
import type { Reader } from '../storage/reader.ts';

export interface PartitionView {
  readonly name: string;
  /** The partition was opened, at first or after a failed append: drop everything. `reader` shows what is committed. */
  opened(reader: Reader, commit: number): void;
  /**
   * Called in commit order, before the replies of that commit leave. Returns the recipients of events, where the view
   * knows them.
   */
  committed(batch: EventBatch): readonly EventRecipients[];
  /** A request of another thread, such as "warm this feed"; `caller` is the number of that thread. */
  control(request: unknown, caller: number): unknown;
  /** That thread was replaced: what it had requested no longer holds. */
  callerReplaced?(caller: number): void;
}

/**
 * Views: state in memory that follows a partition's committed events, such as home feeds. A view is never durable:
 * after a crash it starts empty and is filled again. It sees committed state only, so it can run wherever the log can
 * be read.
 */
import type { EventBatch, EventRecipients } from '../events/event.ts';
import type { PartitionPorts } from '../ports.ts';
import { StorageFailure } from '../storage/log.ts';
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

/** The views of a partition: each gets every commit, is addressed by its name, and fails alone. */
export class Views {
  private readonly views: readonly PartitionView[];
  private readonly reader: Reader;
  private readonly report: PartitionPorts['report'];
  /** They failed, and could not be opened anew since. */
  private readonly closed = new Set<PartitionView>();
  private commit = 0;

  constructor(views: readonly PartitionView[], reader: Reader, report: PartitionPorts['report']) {
    this.views = views;
    this.reader = reader;
    this.report = report;
  }

  /** Throws StorageFailure. */
  opened(commit: number): void {
    this.commit = commit;
    for (const view of this.views) {
      const error = this.reopen(view);
      if (error instanceof StorageFailure) throw error;
      if (error !== undefined) this.report({ level: 'error', message: `the view ${view.name} failed`, error });
    }
  }

  /** Undefined where a view has failed: it may have known recipients of these events. The commit leaves regardless. */
  committed(batch: EventBatch): readonly EventRecipients[] | undefined {
    this.commit = batch.commit;
    const found = this.views.map((view) => this.follow(view, batch));
    return found.includes(undefined) ? undefined : found.flatMap((recipients) => recipients!);
  }

  /** Throws for an unknown name, and what keeps a view from being opened. */
  control(name: string, request: unknown, caller: number): unknown {
    const found = this.views.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`there is no view ${name}`);
    const error = this.closed.has(found) ? this.reopen(found) : undefined;
    if (error !== undefined) throw error;
    return found.control(request, caller);
  }

  callerReplaced(caller: number): void {
    for (const view of this.views) view.callerReplaced?.(caller);
  }

  private follow(view: PartitionView, batch: EventBatch): readonly EventRecipients[] | undefined {
    try {
      if (!this.closed.has(view)) return view.committed(batch);
    } catch (error) {
      this.report({ level: 'error', message: `the view ${view.name} failed`, error });
    }
    this.reopen(view);
    return undefined;
  }

  /** Returns the error of a view that cannot be opened. It is tried again when it is needed next. */
  private reopen(view: PartitionView): unknown {
    try {
      view.opened(this.reader, this.commit);
      this.closed.delete(view);
      return undefined;
    } catch (error) {
      this.closed.add(view);
      return error;
    }
  }
}

/** The views of a partition: each gets every commit, is addressed by its name, and fails alone. */
import type { EventBatch, EventRecipients } from '../events/event.ts';
import type { PartitionPorts } from '../ports.ts';
import type { Reader } from '../storage/reader.ts';
import type { PartitionView } from './view.ts';

export class Views {
  private readonly views: readonly PartitionView[];
  private readonly reader: Reader;
  private readonly report: PartitionPorts['report'];

  constructor(views: readonly PartitionView[], reader: Reader, report: PartitionPorts['report']) {
    this.views = views;
    this.reader = reader;
    this.report = report;
  }

  opened(commit: number): void {
    for (const view of this.views) view.opened(this.reader, commit);
  }

  committed(batch: EventBatch): EventRecipients[] {
    return this.views.flatMap((view) => this.follow(view, batch));
  }

  /** Throws for an unknown name. */
  control(name: string, request: unknown, caller: number): unknown {
    const found = this.views.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`there is no view ${name}`);
    return found.control(request, caller);
  }

  callerReplaced(caller: number): void {
    for (const view of this.views) view.callerReplaced?.(caller);
  }

  /** A view that throws is opened anew; the commit leaves regardless. */
  private follow(view: PartitionView, batch: EventBatch): readonly EventRecipients[] {
    try {
      return view.committed(batch);
    } catch (error) {
      this.report({ level: 'error', message: `the view ${view.name} failed`, error });
      view.opened(this.reader, batch.commit);
      return [];
    }
  }
}

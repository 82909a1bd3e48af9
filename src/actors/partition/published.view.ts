/**
 * How far a partition's events have been published. A gateway asks once it listens: it reads earlier events from the
 * log, and later ones arrive by themselves.
 */
import type { EventBatch, EventRecipients } from '../../runtime/events/event.ts';
import type { PartitionView } from '../../runtime/partition/views.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import { type PublishedAnswer, publishedViewName } from './published.messages.ts';

export class PublishedView implements PartitionView {
  readonly name = publishedViewName;
  private commit = 0;

  opened(_reader: Reader, commit: number): void {
    this.commit = commit;
  }

  committed(batch: EventBatch): readonly EventRecipients[] {
    this.commit = batch.commit;
    return [];
  }

  control(): PublishedAnswer {
    return { commit: this.commit };
  }
}

/** The views of a partition that streams ask: who listens to what is committed, and how far that is. */
import { allocateRings, type RingMemory } from '../../src/actors/partition/feed-rings.queries.ts';
import { FeedsView } from '../../src/actors/partition/feeds.view.ts';
import { PublishedView } from '../../src/actors/partition/published.view.ts';
import type { EventBatch } from '../../src/runtime/events/event.ts';
import type { PartitionView } from '../../src/runtime/partition/views.ts';
import type { EventListener } from '../../src/services/event-hub.ts';
import type { TestServer } from './actors.ts';

const ringsOfTests = { rings: 64, entries: 64 };

/** `heard` gets what a gateway would be sent. */
export function streamViews(server: () => TestServer, heard: EventListener): PartitionView[] {
  const ports = { monotonic: () => server().clock.monotonic(), defer: (work: () => void) => server().defer(work) };
  const memory = allocateRings(ringsOfTests.rings, ringsOfTests.entries);
  return [new PublishedView(), new HeardFeeds(memory, ports, undefined, heard)];
}

/** Tells somebody in the same thread of each commit, and whom its events concern. */
export class HeardFeeds extends FeedsView {
  private readonly heard: EventListener;

  constructor(
    memory: RingMemory,
    ports: ConstructorParameters<typeof FeedsView>[1],
    ringsPerSlice: number | undefined,
    heard: EventListener,
  ) {
    super(memory, ports, ringsPerSlice);
    this.heard = heard;
  }

  override committed(batch: EventBatch): ReturnType<FeedsView['committed']> {
    const recipients = super.committed(batch);
    this.heard(batch, recipients);
    return recipients;
  }
}

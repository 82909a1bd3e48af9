/** Who reads the public timelines, as each thread keeps it: asked for with every page of them. */
import { cacheables } from '../actors/cacheables.ts';
import { feedRules } from '../actors/instance/instance.queries.ts';
import type { FeedRules } from '../actors/policy/feed-access.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { EventHub } from './event-hub.ts';
import { member } from './members.ts';

interface FeedAccessServices {
  readonly snapshots: Reader;
  readonly events: Pick<EventHub, 'onInvalidation' | 'onLoss'>;
}

class KeptFeedRules {
  private readonly snapshots: Reader;
  private read: FeedRules | undefined;

  constructor({ snapshots, events }: FeedAccessServices) {
    this.snapshots = snapshots;
    events.onInvalidation(cacheables.feedAccess, () => this.drop());
    events.onLoss(() => this.drop());
  }

  get current(): FeedRules {
    this.read ??= feedRules(this.snapshots);
    return this.read;
  }

  private drop(): void {
    this.read = undefined;
  }
}

const kept = member((services: FeedAccessServices) => new KeptFeedRules(services));

export function currentFeedRules(services: Parameters<typeof kept>[0]): FeedRules {
  return kept(services).current;
}

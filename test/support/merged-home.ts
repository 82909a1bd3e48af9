/** Timelines, merged at one go. */
import { homeStatusIds, listStatusIds } from '../../src/actors/account/home/home.queries.ts';
import type { PageBounds } from '../../src/actors/pages.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Reader } from '../../src/runtime/storage/reader.ts';
import type { Feeds, HomePage } from '../../src/services/feeds.ts';

export function mergedHome(reader: Reader, viewerId: Id, bounds: PageBounds): Id[] {
  return atOnce(homeStatusIds(reader, viewerId, bounds));
}

export function atOnce(steps: Generator<undefined, Id[]>): Id[] {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Feeds without rings: every home and list is merged when it is read. */
export function mergedFeeds({ read }: { readonly read: Reader }): Pick<Feeds, 'home' | 'list'> {
  const page = (ids: readonly Id[]): HomePage => ({ ids: BigUint64Array.from(ids), complete: true });
  return {
    home: (accountId, bounds) => page(mergedHome(read, accountId, bounds)),
    list: (listId, bounds) => page(atOnce(listStatusIds(read, listId, bounds))),
  };
}

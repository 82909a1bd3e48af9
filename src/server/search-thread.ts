/** Composition of the search thread: the index of the text of statuses, and the answers to those who search in it. */
import type { Thread } from '../runtime/threads/thread.ts';
import type { Answerer } from '../services/network-services.ts';
import { findTopic, rebuildTopic, type SearchQuery, searchStateTopic } from '../services/search/search.ts';
import { SearchEngine } from '../services/search/search-engine.ts';
import { searchIndexFile } from './folder/data-folder.ts';
import { readManifest } from './folder/manifest.ts';
import type { PoolName } from './pools.ts';
import { runServiceThread, type Work, type WorkInput } from './service-thread.ts';
import type { Shared } from './shared.ts';

export async function runSearch(thread: Thread<Shared>, pools: readonly PoolName[]): Promise<void> {
  // It reads the event logs themselves: owners do no work for it.
  await runServiceThread(thread, { pools, wantedEvents: { numbers: [] }, work: searchWork });
}

function searchWork({ thread: { shared }, services }: WorkInput): Work {
  const { snapshots, now, monotonic, report } = services;
  const path = searchIndexFile(shared.dataDirectory);
  const engine = new SearchEngine({ snapshots, now, monotonic, report, path, folder: identityOf(shared) });
  return {
    answerers: new Map<string, Answerer>([
      [findTopic, (query) => engine.find(query as SearchQuery)],
      [searchStateTopic, () => engine.state()],
      [rebuildTopic, () => engine.rebuild()],
    ]),
    serve: () => engine.start(),
    close: async () => engine.stop(),
  };
}

/** Of the data folder and its partitions: commits of others say nothing about these. */
function identityOf({ dataDirectory, generation, plan }: Shared): string {
  const manifest = readManifest({ path: dataDirectory });
  const id = manifest !== undefined && 'id' in manifest ? manifest.id : '';
  return [id, generation, plan.partitions].join(' ');
}

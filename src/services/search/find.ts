/** Answers a query from the index, table by table, the one with the newest statuses first. */
import type { Id } from '../../runtime/ids.ts';
import type { IndexFile } from './index-file.ts';
import { canMatch, matchOf, matchOfMany } from './match.ts';
import type { SearchQuery } from './search.ts';

/** Yields after each table what it has found so far, newest first. */
export function* findIn(file: IndexFile, query: SearchQuery): Generator<readonly Id[], readonly Id[]> {
  if (!canMatch(query)) return [];
  const { minId, maxId, limit, askerId, scope } = query;
  const [match, matchMany] = [matchOf(query), matchOfMany(query)];
  let found: readonly Id[] = [];
  for (const shard of file.shardsBetween(minId, maxId)) {
    const above = found.length < limit ? minId : found.at(-1)!;
    if (shard.highest <= above) break;
    const more = file.find(shard, match, above, maxId, limit);
    const ofMany = scope === 'public' ? [] : file.find(shard, matchMany, above, maxId, limit, askerId);
    found = newestOf([...found, ...more, ...ofMany], limit);
    yield found;
  }
  return found;
}

function newestOf(ids: readonly Id[], limit: number): Id[] {
  return [...new Set(ids)].sort((one, other) => (one > other ? -1 : 1)).slice(0, limit);
}

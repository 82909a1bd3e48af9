/** Finds tags by prefix or id, and reads their recent use. */
import type { Id } from '../runtime/ids.ts';
import { beginningWith, startOfText } from '../runtime/storage/keyspace.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import { idOfName } from './policy/derived-ids.ts';
import { tagNames } from './search.state.ts';
import { foldTagName } from './text/hashtags.ts';
import { tagEntries } from './timelines.queries.ts';
import { type RecentUse, recentUse } from './uses.queries.ts';

/** Names examined per search. */
const candidatesMax = 80;
const candidatesPerSlice = 20;

/** Whether the text can be the beginning of a tag's name. */
const tagBeginning = /^[\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]+$/u;

/** As typed, without its sign. The exact name first, then the most recently used. In slices (see TimeSlices). */
export function* tagsBeginningWith(snapshots: Snapshots, typed: string): Generator<undefined, string[]> {
  if (!tagBeginning.test(typed)) return [];
  const beginning = foldTagName(typed);
  const limit = Math.ceil(candidatesMax / snapshots.partitions.length);
  const names = new Set<string>();
  for (const partition of snapshots.partitions)
    for (const { value } of partition.range(tagNames, [], { ...beginningWith(beginning), limit }))
      if (value.name.startsWith(beginning)) names.add(value.name);
  const lastUse = new Map<string, Id>();
  let examined = 0;
  for (const name of names) {
    if (examined > 0 && examined % candidatesPerSlice === 0) yield;
    examined += 1;
    const [latest] = tagEntries(snapshots, [name], { limit: 1 });
    if (latest !== undefined) lastUse.set(name, latest.id);
  }
  const place = (name: string) => (name === beginning ? 0 : 1);
  const use = (name: string) => lastUse.get(name) ?? 0n;
  return [...lastUse.keys()].sort((one, other) => place(one) - place(other) || (use(one) > use(other) ? -1 : 1));
}

export function tagHistory(
  snapshots: Snapshots,
  name: string,
  today: number,
  silenced: Pick<ReadonlySet<Id>, 'has'>,
): Generator<undefined, RecentUse> {
  return recentUse((bounds) => tagEntries(snapshots, [name], bounds), today, silenced);
}

/** Names read between two pauses. */
const namesPerSlice = 500;

/** The tags whose ids are wanted. Looks at all names, in slices: ids are in no index, because only staff ask by them. */
export function* tagsWithIds(
  { partitions }: Snapshots,
  isWanted: (id: Id) => boolean,
): Generator<undefined, [id: Id, name: string][]> {
  const found = new Map<string, Id>();
  for (const partition of partitions)
    for (let from: string | undefined = '', limit = namesPerSlice; from !== undefined; ) {
      const names: string[] = Array.from(partition.range(tagNames, [], { from, limit }), ({ value }) => value.name);
      for (const name of names) {
        const id = BigInt(idOfName(name));
        if (isWanted(id)) found.set(name, id);
      }
      const last = names.length < limit ? undefined : names.at(-1);
      // Keys hold the beginnings of names: the next slice begins with all that begin like the last one.
      if (last !== undefined && startOfText(last) === startOfText(from)) limit *= 2;
      from = last;
      yield;
    }
  return [...found].map(([name, id]) => [id, name]);
}

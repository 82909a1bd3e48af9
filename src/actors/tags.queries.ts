/** Finds tags by prefix, and reads their recent use. */
import { type Id, timeOfId } from '../runtime/ids.ts';
import { beginningWith } from '../runtime/storage/keyspace.ts';
import type { Snapshots } from '../runtime/storage/snapshots.ts';
import { tagNames } from './search.state.ts';
import { dayOf } from './session/session.messages.ts';
import { foldTagName } from './text/hashtags.ts';
import { tagEntries } from './timelines.queries.ts';

/** Names examined per search. */
const candidatesMax = 80;
const candidatesPerSlice = 20;
/** Statuses counted per tag for its history. */
const countedMax = 10_000;
const countedPerSlice = 250;
const historyDays = 7;

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

export interface TagDay {
  /** Days since 1970. */
  readonly day: number;
  readonly uses: number;
  readonly accounts: number;
}

export interface TagUse {
  /** Seven days, today first. */
  readonly days: readonly TagDay[];
  /** Statuses looked at. */
  readonly looked: number;
}

/**
 * The uses of a tag on each of the last seven days, today first, without those by silenced accounts (specification 4.9);
 * for a busy tag only the latest uses are counted. In slices (see TimeSlices).
 */
export function* tagHistory(
  snapshots: Snapshots,
  name: string,
  today: number,
  silenced: Pick<ReadonlySet<Id>, 'has'>,
): Generator<undefined, TagUse> {
  const counted = Array.from({ length: historyDays }, () => ({ uses: 0, accounts: new Set<Id>() }));
  const use = (looked: number) => ({
    days: counted.map((day, age) => ({ day: today - age, uses: day.uses, accounts: day.accounts.size })),
    looked,
  });
  let maxId: Id | undefined;
  let looked = 0;
  while (looked < countedMax) {
    if (looked > 0) yield;
    const last = looked + countedPerSlice;
    for (const { id, entry } of tagEntries(snapshots, [name], { maxId, limit: countedPerSlice })) {
      const age = today - dayOf(timeOfId(id));
      if (age >= historyDays) return use(looked);
      if (!silenced.has(entry.accountId)) {
        const day = counted[Math.max(0, age)]!;
        day.uses += 1;
        day.accounts.add(entry.accountId);
      }
      maxId = id;
      looked += 1;
      if (looked === last) break;
    }
    if (looked < last) break;
  }
  return use(looked);
}

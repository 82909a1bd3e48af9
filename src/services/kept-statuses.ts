/**
 * The newest statuses of authors, kept for merging homes: after a start the homes of all readers are merged, mostly from the
 * same authors. Every event about a status drops what is kept of its author, also the one with which the status reaches a
 * partition of followers. An owner sends its events before its answers, so what is kept when a feed was opened lacks
 * nothing that its ring has not been given since.
 */
import {
  type AuthorStatus,
  type AuthorStatuses,
  newestOf,
  storedStatuses,
} from '../actors/account/home/home.queries.ts';
import type { StatusSummary } from '../actors/account/statuses/statuses.records.ts';
import { cacheables } from '../actors/cacheables.ts';
import type { Id } from '../runtime/ids.ts';
import { SizedMap } from '../runtime/sized-map.ts';
import type { Reader } from '../runtime/storage/reader.ts';
import type { EventHub } from './event-hub.ts';
import { keptStatusLimits } from './limits.ts';

/** Of one author, newest first. It grows while it is read. */
interface Kept {
  readonly statuses: AuthorStatus[];
  /** Whether the author has no others. */
  isWhole: boolean;
}

const { perAuthorMax, readFirst } = keptStatusLimits;
/** About the memory of a status whose summary is shared. */
const statusBytes = 80;

export interface KeptStatusesOptions {
  readonly events: Pick<EventHub, 'onInvalidation' | 'onLoss'>;
  readonly bytesMax: number;
}

export class KeptStatuses implements AuthorStatuses {
  private readonly authors: SizedMap<Id, Kept>;
  private readonly summaries = new SharedSummaries();

  constructor({ events, bytesMax }: KeptStatusesOptions) {
    // As much as it may grow to.
    this.authors = new SizedMap({ bytesMax, bytesOf: () => perAuthorMax * statusBytes });
    events.onInvalidation(cacheables.statusesOfAccount, (authorId) => this.authors.delete(authorId));
    events.onLoss(() => this.authors.clear());
  }

  get bytes(): number {
    return this.authors.bytes;
  }

  isAtHand(authorId: Id): boolean {
    return this.authors.get(authorId) !== undefined;
  }

  *newest(reader: Reader, authorId: Id, before: Id | undefined): Generator<AuthorStatus> {
    const kept = this.authors.use(authorId) ?? this.begin(authorId);
    for (let index = 0; ; index += 1) {
      if (index === kept.statuses.length && !this.extend(reader, authorId, kept)) break;
      const status = kept.statuses[index]!;
      if (before === undefined || status[0] < before) yield status;
    }
    if (kept.isWhole) return;
    const oldest = kept.statuses.at(-1)?.[0];
    yield* olderOf(reader, authorId, before === undefined || oldest! < before ? oldest : before);
  }

  private begin(authorId: Id): Kept {
    const kept: Kept = { statuses: [], isWhole: false };
    this.authors.set(authorId, kept);
    return kept;
  }

  /** False where there is no other, or none is kept. */
  private extend(reader: Reader, authorId: Id, kept: Kept): boolean {
    const { statuses } = kept;
    if (kept.isWhole || statuses.length >= perAuthorMax) return false;
    const limit = statuses.length === 0 ? readFirst : perAuthorMax - statuses.length;
    const read = newestOf(reader, authorId, limit, statuses.at(-1)?.[0]);
    for (const [id, summary] of read) statuses.push([id, this.summaries.of(summary)]);
    kept.isWhole = read.length < limit;
    return read.length > 0;
  }
}

/** One object for all summaries that say the same in few words: most are of public statuses that answer nothing. */
class SharedSummaries {
  private readonly shared = new Map<string, StatusSummary>();

  of(summary: StatusSummary): StatusSummary {
    const { visibility, hasMedia, language, ...others } = summary;
    if (Object.values(others).some((value) => value !== undefined)) return summary;
    const name = `${visibility} ${hasMedia} ${language}`;
    const known = this.shared.get(name);
    if (known !== undefined || this.shared.size >= keptStatusLimits.sharedSummariesMax) return known ?? summary;
    this.shared.set(name, summary);
    return summary;
  }
}

function olderOf(reader: Reader, authorId: Id, before: Id | undefined): Iterable<AuthorStatus> {
  return { [Symbol.iterator]: () => storedStatuses.newest(reader, authorId, before) };
}

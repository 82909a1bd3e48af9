/** One entry of a partition's webhook log, in memory, and what lanes ask of it. */
import type { LoggedNews } from '../../actors/partition/webhooks.queries.ts';
import type { LogEntry, PreparedEntry } from '../lanes/log.ts';

/** Makes requests; WebhookRequests. */
export interface WebhookSource {
  prepare(news: LoggedNews): PreparedEntry | Promise<undefined> | undefined;
  /** The entry had to make room in the log, and was not sent. */
  overwritten(): void;
}

/** The memory of an entry (measured as that of deliveries). */
const entryBytes = 400;
const nowhere: readonly number[] = [];

export class WebhookEntry implements LogEntry {
  readonly news: LoggedNews;
  readonly bytes = entryBytes;
  readonly urgentAt = nowhere;
  previous = 0;
  private readonly source: WebhookSource;

  constructor(news: LoggedNews, source: WebhookSource) {
    this.news = news;
    this.source = source;
  }

  get sequence(): number {
    return this.news.sequence;
  }

  get expiresAt(): number {
    return this.news.expiresAt;
  }

  /** What happens to an account, a report or a status is told in order. */
  get orderKey(): bigint {
    return this.news.subjectId;
  }

  get isFirstOfOrder(): boolean {
    return this.news.event.endsWith('.created');
  }

  supersedes(): undefined {
    return undefined;
  }

  targetsAt(): readonly string[] {
    return [String(this.news.webhookId)];
  }

  prepare(): PreparedEntry | Promise<undefined> | undefined {
    return this.source.prepare(this.news);
  }
}

/** Reads for the lanes of webhooks. `partition` is the reader of one partition. */
import type { Reader } from '../../runtime/storage/reader.ts';
import type { LaneState } from './partition.records.ts';
import { type WebhookNews, webhookAgeMilliseconds, webhookLanes, webhookLog } from './webhooks.state.ts';

export interface LoggedNews extends WebhookNews {
  readonly sequence: number;
  /** A date: it is not sent later. */
  readonly expiresAt: number;
}

function logged(sequence: number, news: WebhookNews): LoggedNews {
  return { ...news, sequence, expiresAt: news.at + webhookAgeMilliseconds };
}

/** The next entries after a sequence, oldest first. */
export function newsAfter(partition: Reader, sequence: number, limit: number): LoggedNews[] {
  const found: LoggedNews[] = [];
  // Counted here: a limit of the range would count damaged entries, which it leaves out.
  for (const { key, value } of partition.range(webhookLog, [], { from: sequence + 1 })) {
    found.push(logged(key[0], value));
    if (found.length === limit) break;
  }
  return found;
}

/** Undefined when it was sent, is too old, or had to make room. */
export function findNews(partition: Reader, sequence: number): LoggedNews | undefined {
  const news = partition.get(webhookLog, [sequence]);
  return news && logged(sequence, news);
}

/** The sequence of the newest entry still stored; 0 for none. */
export function newestNews(partition: Reader): number {
  for (const { key } of partition.range(webhookLog, [], { reverse: true })) return key[0];
  return 0;
}

export function findWebhookLane(partition: Reader, host: number): LaneState | undefined {
  return partition.get(webhookLanes, [host]);
}

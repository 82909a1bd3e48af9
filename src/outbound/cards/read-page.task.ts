/** The tasks of the pool: some milliseconds for a large page. */
import type { JsonObject } from '../fetcher/json.ts';
import { withOembed } from './oembed.ts';
import { type ReadPage, type ReceivedPage, readPage } from './read-page.ts';

export function readReceivedPage(page: ReceivedPage): ReadPage {
  return readPage(page);
}

export interface DescribedPage {
  readonly page: ReadPage;
  readonly answer: JsonObject;
  /** The address of the answer. */
  readonly base: string;
}

/** The page itself where the description says nothing usable. */
export function describePage({ page, answer, base }: DescribedPage): ReadPage {
  return withOembed(page, answer, base) ?? page;
}

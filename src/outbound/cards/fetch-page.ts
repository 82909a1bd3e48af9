/** Gets a page and what its site says about embedding it, through the guarded fetcher. Read in the pool. */
import { taskModule } from '../../options/project-files.ts';
import type { Pool } from '../../runtime/pool.ts';
import type { FetchFailure } from '../fetcher/fetch-result.ts';
import type { Fetcher } from '../fetcher/fetcher.ts';
import { parseJsonObject } from '../fetcher/json.ts';
import { fetcherLimits } from '../fetcher/limits.ts';
import { headerValue } from '../fetcher/response-headers.ts';
import { cardLimits } from './limits.ts';
import type { DescribedPage } from './read-page.task.ts';
import type { ReadPage, ReceivedPage } from './read-page.ts';

const task = taskModule('outbound/cards/read-page.task');

export interface PageSources {
  readonly fetcher: Pick<Fetcher, 'get' | 'connections'>;
  readonly htmlPool: Pool;
  /** In which pages are asked for, where they are there in several. */
  readonly language: string;
  /** Whether nothing of this host[:port] is shown. */
  refuses(host: string): boolean;
}

/**
 * Undefined for a page without a title and without a player, and for one of a host that is refused. Throws Failure
 * overloaded where the pool is full.
 */
export async function fetchPage(sources: PageSources, address: string): Promise<ReadPage | undefined | FetchFailure> {
  const { fetcher, htmlPool, language, refuses } = sources;
  const { allowHttp } = fetcher.connections.policy;
  const fetched = await fetcher.get({
    // What is not asked in the clear may be there over TLS.
    url: allowHttp ? address : address.replace(/^http:/, 'https:'),
    accept: 'text/html, application/xhtml+xml',
    acceptLanguage: `${language}, *;q=0.5`,
    bytesMax: cardLimits.pageBytesMax,
    mayCut: true,
    isWantedType: (type) => /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type),
  });
  if (!fetched.ok) return fetched;
  const { body, cut: isCut, contentType, url, headers } = fetched;
  if (refuses(new URL(url).host)) return undefined;
  const received: ReceivedPage = { body, isCut, contentType, url, robots: headerValue(headers, 'x-robots-tag') ?? '' };
  const read = await htmlPool.run<ReadPage>(task, 'readReceivedPage', received, cardLimits.readMilliseconds);
  const page = await described(sources, read);
  return page.card.title === '' && page.card.html === undefined ? undefined : page;
}

/** The page as it is where its description cannot be had. */
async function described({ fetcher, htmlPool, refuses }: PageSources, page: ReadPage): Promise<ReadPage> {
  if (page.oembedUrl === undefined || refuses(new URL(page.oembedUrl).host)) return page;
  const { jsonDepthMax } = fetcherLimits;
  const fetched = await fetcher.get({
    url: page.oembedUrl,
    accept: 'application/json',
    bytesMax: cardLimits.oembedBytesMax,
  });
  const answer = fetched.ok ? parseJsonObject(fetched.body, jsonDepthMax) : undefined;
  if (!fetched.ok || answer === undefined) return page;
  const given: DescribedPage = { page, answer, base: fetched.url };
  return htmlPool.run<ReadPage>(task, 'describePage', given, cardLimits.readMilliseconds);
}

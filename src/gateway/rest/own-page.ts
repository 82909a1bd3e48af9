/**
 * Answers with pages of lists that belong to the user. The newest page comes from the page cache where nothing on it
 * has changed.
 */
import type { Page, PageBounds } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { GatewayServices } from '../gateway-services.ts';
import type { Answer } from '../http/answers.ts';
import type { UserContext } from '../http/context.ts';
import { type Page as LinkedPage, pageHeaders } from '../http/pagination.ts';
import { boundsOf, type PageParameters } from './accounts/answers.ts';
import { answerFilledPage } from './filled-page.ts';
import { jsonBytes } from './status-answers.ts';

interface OwnList<Newest extends object, Item> {
  /** The current version of the list: another object after each change. */
  newest(accountId: Id): Newest;
  /** A promise where much has to be read. */
  read(accountId: Id, bounds: PageBounds, newest: Newest): Page<Item> | Promise<Page<Item>>;
  /** Valid until the next body is made. */
  encode(items: readonly Item[]): Uint8Array;
}

export function answerOwnPage<Newest extends object, Item>(
  { services: { pageCache, presenter }, grant: { accountId, dialect }, request }: UserContext<GatewayServices>,
  parameters: PageParameters,
  { newest, read, encode }: OwnList<Newest, Item>,
): Answer | Promise<Answer> {
  const answer = (page: LinkedPage, body: Uint8Array) =>
    jsonBytes(body, pageHeaders(request, page, parameters.limit, 'min_id'));
  const bounds = boundsOf(parameters);
  const list = newest(accountId);
  if (!isNewest(bounds))
    return answerFilledPage(
      bounds,
      (some) => read(accountId, some, some === bounds ? list : newest(accountId)),
      (page) => answer(page, encode(page.items)),
    );
  const asked = { parameters, dialect };
  const kept = pageCache.find(accountId, asked, list);
  if (kept !== undefined) return answer(kept, kept.body);
  const { made, sources } = presenter.recorder.record(() => read(accountId, bounds, list));
  return answerFilledPage(
    bounds,
    (some) => (some === bounds ? made : read(accountId, some, newest(accountId))),
    (page) => {
      const body = encode(page.items);
      if (page === made && sources !== undefined) pageCache.keep(accountId, asked, list, { page, body, sources });
      return answer(page, body);
    },
  );
}

function isNewest({ maxId, sinceId, minId }: PageBounds): boolean {
  return maxId === undefined && sinceId === undefined && minId === undefined;
}

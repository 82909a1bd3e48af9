/** Trends (specification 4.9; behaviour of the Mastodon API for links, statuses, and pages by offset). */
import { z } from 'zod';
import { authorOfCard } from '../../../operations/presentation/card-authors.ts';
import { findTrendingLinks, type TrendingLink } from '../../../operations/trends/trending-links.ts';
import { findTrendingStatuses } from '../../../operations/trends/trending-statuses.ts';
import { findTrendingTags } from '../../../operations/trends/trending-tags.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { EncodableStatus } from '../../entities/encodable-status.ts';
import { accountOf } from '../../entities/encoded-account.ts';
import { type ShownCard, TrendingLinkEntity, trendingLinkEntity } from '../../entities/preview-card.ts';
import { StatusEntity } from '../../entities/status-schema.ts';
import { TagEntity, tagEntity } from '../../entities/tag.ts';
import { relationToTag } from '../../entities/tags-with-history.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { acceptedLanguages } from '../../http/accept-language.ts';
import { type Answer, type AnswerHeaders, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { offsetHeaders, type PageAddress } from '../../http/pagination.ts';
import { limit, offsetUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';

const offset = offsetUpTo(10_000);

type Context = OpenContext<GatewayServices>;

export interface OffsetPage {
  readonly offset?: number | undefined;
  readonly limit: number;
}

/** For one more than the page shows. */
export const asked = ({ offset: from = 0, limit: size }: OffsetPage) => ({ offset: from, limit: size + 1 });

/** `found`: with one more than the page shows, where there is one. */
export function answerPage<Found>(
  { request }: Context,
  found: readonly Found[],
  given: OffsetPage,
  entityOf: (one: Found) => unknown,
): Answer {
  return json(found.slice(0, given.limit).map(entityOf), { headers: headersOf(request, found, given) });
}

function headersOf(
  address: PageAddress,
  found: readonly unknown[],
  { offset: from = 0, limit: size }: OffsetPage,
): AnswerHeaders {
  return offsetHeaders(address, { offset: from, limit: size, hasMore: found.length > size });
}

function trendingTagsAt(path: string, deprecated?: { at: number }) {
  return endpoint({
    method: 'GET',
    path,
    authentication: 'optional',
    parameters: z.object({ offset, limit: limit(10, 20) }),
    summary: 'Lists trending tags, strongest first.',
    answer: z.array(TagEntity),
    ...(deprecated === undefined ? {} : { deprecated }),
    handler: answerTags,
  });
}

export async function answerTags(context: Context, given: OffsetPage): Promise<Answer> {
  const tags = await findTrendingTags(context, asked(given));
  const { snapshots, addresses } = context.services;
  const { accountId } = context.caller;
  return answerPage(context, tags, given, ({ name, history }) =>
    tagEntity(name, history, addresses.origin, relationToTag(snapshots, accountId, name)),
  );
}

const trendingLinks = endpoint({
  method: 'GET',
  path: '/api/v1/trends/links',
  authentication: 'optional',
  parameters: z.object({ offset, limit: limit(10, 20) }),
  summary: 'Lists trending links, strongest first.',
  answer: z.array(TrendingLinkEntity),
  handler: answerLinks,
});

export async function answerLinks(context: Context, given: OffsetPage): Promise<Answer> {
  return answerPage(context, await findTrendingLinks(context, asked(given)), given, linkEntityFor(context));
}

export function linkEntityFor(context: Context): (link: TrendingLink) => z.output<typeof TrendingLinkEntity> {
  return (link) => trendingLinkEntity(link, context.services.addresses, creditOf(context, link));
}

/** The account that has written the page, as the reader is shown it. */
function creditOf({ services, caller }: Context, { card }: TrendingLink): ShownCard {
  const { presenter, snapshots } = services;
  const { accountId, isMissing } = authorOfCard(snapshots, card, presenter.viewer(caller.accountId));
  const known = accountId === undefined ? undefined : presenter.account(accountId);
  return { isMissing, account: known && accountOf(presenter.accountFor(known, caller.accountId)) };
}

const trendingStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/trends/statuses',
  authentication: 'optional',
  parameters: z.object({ offset, limit: limit(20, 40) }),
  summary: 'Lists trending statuses, those in a language of the reader first, strongest first.',
  answer: z.array(StatusEntity),
  handler: answerStatuses,
});

export async function answerStatuses(context: Context, given: OffsetPage): Promise<Answer> {
  const { services, request, grant } = context;
  const languages = acceptedLanguages(request.header('accept-language'));
  const trending = await findTrendingStatuses(context, { languages });
  const shown = shownPage(trending, services.presenter.each(grant?.accountId, 'trend'), asked(given));
  return jsonBytes(services.answers.list(shown.slice(0, given.limit)), headersOf(request, shown, given));
}

/** The offset counts what the reader is shown. */
function shownPage(
  statusIds: Iterable<Id>,
  show: (statusId: Id) => EncodableStatus | undefined,
  page: { readonly offset: number; readonly limit: number },
): EncodableStatus[] {
  const shown: EncodableStatus[] = [];
  for (const id of statusIds) {
    const status = show(id);
    if (status !== undefined && shown.push(status) === page.offset + page.limit) break;
  }
  return shown.slice(page.offset);
}

export const trendEndpoints = [
  trendingTagsAt('/api/v1/trends/tags'),
  trendingTagsAt('/api/v1/trends', { at: Date.UTC(2022, 2, 30) }),
  trendingStatuses,
  trendingLinks,
];

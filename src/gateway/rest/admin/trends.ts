/**
 * The endpoints by which staff review what trends (behaviour of the Mastodon API). Who may not review is shown what
 * everybody is shown. Reviews of authors are ours: their statuses follow them, as links follow their publishers.
 */
import { z } from 'zod';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { idOfName } from '../../../actors/policy/derived-ids.ts';
import { holdsPermission } from '../../../operations/permissions.ts';
import { changeTag, listTags, showTag } from '../../../operations/trends/review-tags.ts';
import {
  candidateLinks,
  candidateStatuses,
  candidateTags,
  linkWithId,
  listPublishers,
  publisherWithId,
  type ReviewedLink,
  type ReviewedTag,
  reviewTrend,
} from '../../../operations/trends/review-trends.ts';
import { Reviews } from '../../../operations/trends/reviews.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import {
  AdminPublisherEntity,
  AdminTagEntity,
  AdminTrendingLinkEntity,
  AdminTrendingStatusEntity,
  AdminTrendingTagEntity,
  adminPublisherEntity,
  adminTagEntity,
} from '../../entities/admin/trends.ts';
import { relationToTag } from '../../entities/tags-with-history.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, id, limit, offsetUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';
import {
  answerLinks,
  answerPage,
  answerStatuses,
  answerTags,
  asked,
  linkEntityFor,
  type OffsetPage,
} from '../trends/trends.endpoints.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

type Context = UserContext<GatewayServices>;

const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'], method: 'POST' as const };
const parameters = z.object({ id });

const mayReview = ({ caller, services }: Context) => holdsPermission('manageTaxonomies', caller, services);

interface Trend {
  readonly path: string;
  readonly sizes: readonly [usual: number, maximum: number];
  readonly answer: z.ZodType;
  readonly summary: string;
  /** For those who may review, and for others. */
  readonly all: (context: Context, given: OffsetPage) => Promise<Answer>;
  readonly shown: (context: Context, given: OffsetPage) => Promise<Answer>;
}

function trendEndpoint({ path, sizes, answer, summary, all, shown }: Trend) {
  return endpoint({
    ...reading,
    method: 'GET',
    path,
    authentication: 'user',
    parameters: z.object({ offset: offsetUpTo(10_000), limit: limit(...sizes) }),
    summary,
    answer: z.array(answer),
    handler: (context, given) => (mayReview(context) ? all : shown)(context, given),
  });
}

const tagFor =
  ({ services, caller }: Context) =>
  (tag: ReviewedTag) =>
    adminTagEntity(tag, services.addresses.origin, relationToTag(services.snapshots, caller.accountId, tag.name));

const linkFor = (context: Context) => (link: ReviewedLink) => ({
  ...linkEntityFor(context)(link),
  id: idOfName(link.card.url),
  requires_review: link.requiresReview,
});

/** Undefined for a status that is gone, or that the reader is not shown. */
function statusFor({ services, grant }: Context, statusId: Id, requiresReview: boolean): object | undefined {
  const shown = services.presenter.one(statusId, grant.accountId, 'single');
  return shown && { ...JSON.parse(services.answers.status(shown).toString()), requires_review: requiresReview };
}

const lists = [
  trendEndpoint({
    path: '/api/v1/admin/trends/tags',
    sizes: [10, 20],
    answer: AdminTrendingTagEntity,
    summary: 'Lists hashtags that trend, or would after a review.',
    all: async (context, given) =>
      answerPage(context, await candidateTags(context, asked(given)), given, tagFor(context)),
    shown: answerTags,
  }),
  trendEndpoint({
    path: '/api/v1/admin/trends/links',
    sizes: [10, 20],
    answer: AdminTrendingLinkEntity,
    summary: 'Lists links that trend, or would after a review.',
    all: async (context, given) =>
      answerPage(context, await candidateLinks(context, asked(given)), given, linkFor(context)),
    shown: answerLinks,
  }),
  trendEndpoint({
    path: '/api/v1/admin/trends/statuses',
    sizes: [20, 40],
    answer: AdminTrendingStatusEntity,
    summary: 'Lists statuses that trend, or would after a review.',
    async all(context, given) {
      const found = await candidateStatuses(context, asked(given));
      const shown = found.flatMap(
        ({ id: statusId, requiresReview }) => statusFor(context, statusId, requiresReview) ?? [],
      );
      return answerPage(context, shown, given, (status) => status);
    },
    shown: answerStatuses,
  }),
];

interface Review {
  /** Below /api/v1/admin/trends. */
  readonly path: string;
  readonly what: string;
  readonly answer: z.ZodType;
  /** Decides, and answers with what was decided about. Throws Failure notFound. */
  decide(context: Context, id: Id, isTrendable: boolean): Promise<Answer>;
}

function reviewEndpoints({ path, what, answer, decide }: Review) {
  return ([true, false] as const).map((isTrendable) =>
    staffEndpoint(reviewTrend, {
      ...writing,
      path: `/api/v1/admin/trends/${path}/:id/${isTrendable ? 'approve' : 'reject'}`,
      parameters,
      summary: `${isTrendable ? 'Lets' : 'Does not let'} ${what} trend.`,
      answer,
      handler: (context, given) => decide(context, given.id, isTrendable),
    }),
  );
}

const reviews = [
  {
    path: 'tags',
    what: 'a hashtag',
    answer: AdminTagEntity,
    async decide(context, tagId, isTrendable) {
      const { name } = await showTag(context, { id: tagId });
      await reviewTrend(context, { kind: 'tag', name, isTrendable });
      return json(tagFor(context)(await showTag(context, { id: tagId })));
    },
  },
  {
    path: 'links',
    what: 'a link',
    answer: AdminTrendingLinkEntity,
    async decide(context, linkId, isTrendable) {
      const link = await linkWithId(context.services, linkId);
      await reviewTrend(context, { kind: 'link', name: link.card.url, isTrendable });
      return json(linkFor(context)({ ...link, ...new Reviews(context.services).link(link.card.url) }));
    },
  },
  {
    path: 'links/publishers',
    what: 'the links of a publisher',
    answer: AdminPublisherEntity,
    async decide(context, publisherId, isTrendable) {
      const { domain } = publisherWithId(await listPublishers(context, {}), publisherId);
      await reviewTrend(context, { kind: 'publisher', name: domain, isTrendable });
      return json(adminPublisherEntity(publisherWithId(await listPublishers(context, {}), publisherId)));
    },
  },
  {
    path: 'statuses',
    what: 'a status',
    answer: AdminTrendingStatusEntity,
    async decide(context, statusId, isTrendable) {
      await reviewTrend(context, { kind: 'status', name: statusId.toString(), isTrendable });
      const status = findStatusRecord(context.services.snapshots, statusId);
      const entity = status && statusFor(context, statusId, false);
      if (entity === undefined) throw new Failure('notFound');
      return json(entity);
    },
  },
  {
    path: 'statuses/accounts',
    what: 'the statuses of an account',
    answer: EmptyEntity,
    async decide(context, accountId, isTrendable) {
      await reviewTrend(context, { kind: 'account', name: accountId.toString(), isTrendable });
      return empty();
    },
  },
] as const satisfies readonly Review[];

const getPublishers = staffEndpoint(listPublishers, {
  ...reading,
  method: 'GET',
  path: '/api/v1/admin/trends/links/publishers',
  parameters: z.object({ offset: offsetUpTo(10_000), limit: limit(100, 200) }),
  summary: 'Lists the publishers of links that trend, and those that were reviewed.',
  answer: z.array(AdminPublisherEntity),
  async handler(context, given) {
    const { offset, limit: size } = asked(given);
    const publishers = await listPublishers(context, {});
    return answerPage(context, publishers.slice(offset, offset + size), given, adminPublisherEntity);
  },
});

const tagPath = '/api/v1/admin/tags';

const getTags = staffEndpoint(listTags, {
  ...reading,
  method: 'GET',
  path: tagPath,
  parameters: z.object(staffPageParameters),
  summary: 'Lists hashtags, by id.',
  answer: z.array(AdminTagEntity),
  async handler(context, given) {
    const bounds = boundsOf(given);
    const tags = await listTags(context, bounds);
    const ids = tags.map(({ name }) => BigInt(idOfName(name)));
    const page = { items: tags, newest: ids[0], oldest: ids.at(-1), full: tags.length === bounds.limit };
    return staffPageAnswer(context.request, page, given.limit, tagFor(context));
  },
});

const getTag = staffEndpoint(showTag, {
  ...reading,
  method: 'GET',
  path: `${tagPath}/:id`,
  parameters,
  summary: 'Shows a hashtag.',
  answer: AdminTagEntity,
  handler: async (context, given) => json(tagFor(context)(await showTag(context, given))),
});

const putTag = staffEndpoint(changeTag, {
  scopes: ['admin:write'],
  methods: ['PUT', 'PATCH'],
  path: `${tagPath}/:id`,
  parameters: z.object({ id, trendable: boolean, usable: boolean, listable: boolean }),
  summary: 'Decides whether a hashtag may trend, be posted, and be suggested; what is not given stays.',
  answer: AdminTagEntity,
  async handler(context, { id: tagId, trendable, usable, listable }) {
    const decided = { isTrendable: trendable, isUsable: usable, isListable: listable };
    return json(tagFor(context)(await changeTag(context, { id: tagId, ...decided })));
  },
});

export const adminTrendEndpoints = [
  ...lists,
  ...reviews.flatMap(reviewEndpoints),
  getPublishers,
  getTags,
  getTag,
  putTag,
];

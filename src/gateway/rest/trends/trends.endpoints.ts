/**
 * Trends (specification 4.9). Statuses trend only after approval by staff, as in the Mastodon API; approval is not
 * implemented, so that list is empty.
 */
import { z } from 'zod';
import { findTrendingLinks } from '../../../operations/trends/trending-links.ts';
import { findTrendingTags } from '../../../operations/trends/trending-tags.ts';
import { TrendingLinkEntity, trendingLinkEntity } from '../../entities/preview-card.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import { TagEntity, tagEntity } from '../../entities/tag.ts';
import { relationToTag } from '../../entities/tags-with-history.ts';
import { json } from '../../http/answers.ts';
import { limit, offsetUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const offset = offsetUpTo(10_000);

function trendingTagsAt(path: string, deprecated?: { at: number }) {
  return endpoint({
    method: 'GET',
    path,
    authentication: 'optional',
    parameters: z.object({ offset, limit: limit(10, 20) }),
    summary: 'Lists trending tags, strongest first.',
    answer: z.array(TagEntity),
    ...(deprecated === undefined ? {} : { deprecated }),
    async handler(context, given) {
      const tags = await findTrendingTags(context, { offset: given.offset ?? 0, limit: given.limit });
      const { snapshots, addresses } = context.services;
      const { accountId } = context.caller;
      return json(
        tags.map(({ name, history }) =>
          tagEntity(name, history, addresses.origin, relationToTag(snapshots, accountId, name)),
        ),
      );
    },
  });
}

const trendingLinks = endpoint({
  method: 'GET',
  path: '/api/v1/trends/links',
  authentication: 'optional',
  parameters: z.object({ offset, limit: limit(10, 20) }),
  summary: 'Lists trending links, strongest first.',
  answer: z.array(TrendingLinkEntity),
  async handler(context, given) {
    const links = await findTrendingLinks(context, { offset: given.offset ?? 0, limit: given.limit });
    return json(links.map((link) => trendingLinkEntity(link, context.services.addresses)));
  },
});

const trendingStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/trends/statuses',
  authentication: 'optional',
  parameters: z.object({ offset, limit: limit(20, 40) }),
  summary: 'The statuses that trend.',
  answer: z.array(UserStatusEntity),
  handler: () => json([]),
});

export const trendEndpoints = [
  trendingTagsAt('/api/v1/trends/tags'),
  trendingTagsAt('/api/v1/trends', { at: Date.UTC(2022, 2, 30) }),
  trendingStatuses,
  trendingLinks,
];

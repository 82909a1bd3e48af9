/** Tags, and those that the user follows (behaviour of the Mastodon API). */
import { z } from 'zod';
import { followedTagsOf } from '../../../actors/account/followed-tags/followed-tags.queries.ts';
import { featureTag, unfeatureTag } from '../../../operations/tags/feature-tag.ts';
import { followTag, tagNamed, unfollowTag } from '../../../operations/tags/follow-tag.ts';
import { TagEntity } from '../../entities/tag.ts';
import { tagsWithHistory } from '../../entities/tags-with-history.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';

async function tagAnswer({ services, caller, request }: OpenContext<GatewayServices>, name: string): Promise<Answer> {
  const [entity] = await services.slices.run(tagsWithHistory(services, [name], caller.accountId), request);
  return json(entity);
}

export const getTag = endpoint({
  method: 'GET',
  path: '/api/v1/tags/:name',
  authentication: 'optional',
  scopes: ['read:follows'],
  parameters: z.object({ name: required(text) }),
  summary: 'Returns a tag with its use in the last days.',
  answer: TagEntity,
  handler: (context, { name }) => tagAnswer(context, tagNamed(name)),
});

interface TagChange {
  readonly path: string;
  readonly scope: string;
  readonly operation: typeof followTag | typeof featureTag;
  readonly summary: string;
}

const tagChange = ({ path, scope, operation, summary }: TagChange) =>
  endpoint({
    method: 'POST',
    path,
    authentication: 'user',
    scopes: [scope],
    parameters: z.object({ name: required(text) }),
    summary,
    answer: TagEntity,
    handler: async (context, { name }) => tagAnswer(context, await operation(context, { tag: name })),
  });

export const postTagFollow = tagChange({
  path: '/api/v1/tags/:name/follow',
  scope: 'write:follows',
  operation: followTag,
  summary: 'Follows a tag.',
});

export const postTagUnfollow = tagChange({
  path: '/api/v1/tags/:name/unfollow',
  scope: 'write:follows',
  operation: unfollowTag,
  summary: 'Unfollows a tag.',
});

export const postTagFeature = tagChange({
  path: '/api/v1/tags/:name/feature',
  scope: 'write:accounts',
  operation: featureTag,
  summary: 'Features a tag on the profile.',
});

export const postTagUnfeature = tagChange({
  path: '/api/v1/tags/:name/unfeature',
  scope: 'write:accounts',
  operation: unfeatureTag,
  summary: 'Removes a featured tag.',
});

export const getFollowedTags = endpoint({
  method: 'GET',
  path: '/api/v1/followed_tags',
  authentication: 'user',
  scopes: ['read:follows'],
  parameters: z.object(pageParameters(100, 200)),
  summary: 'Lists the tags that the user follows, latest first.',
  answer: z.array(TagEntity),
  async handler(context, given) {
    const { services, grant, request } = context;
    const page = followedTagsOf(services.snapshots, grant.accountId, boundsOf(given));
    const entities = await services.slices.run(tagsWithHistory(services, page.items, grant.accountId), request);
    return json(entities, { headers: pageHeaders(request, page, given.limit, 'since_id') });
  },
});

export const tagEndpoints = [getTag, postTagFollow, postTagUnfollow, postTagFeature, postTagUnfeature, getFollowedTags];

/** Tags, and those that the user follows (behaviour of the Mastodon API). */
import { z } from 'zod';
import { featuresTag } from '../../../actors/account/featured-tags/featured-tags.queries.ts';
import { followedTagsOf, followsTag } from '../../../actors/account/followed-tags/followed-tags.queries.ts';
import { dayOf } from '../../../actors/session/session.messages.ts';
import { tagHistory } from '../../../actors/tags.queries.ts';
import { featureTag, unfeatureTag } from '../../../operations/tags/feature-tag.ts';
import { followTag, tagNamed, unfollowTag } from '../../../operations/tags/follow-tag.ts';
import { FollowableTagEntity, followableTagEntity } from '../../entities/tag.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { pageParameters, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { boundsOf } from '../accounts/answers.ts';

type FollowableTag = z.infer<typeof FollowableTagEntity>;

/** Includes the user's relation to it, where there is a user. */
function* entityOf(
  { services, grant }: OpenContext<GatewayServices>,
  name: string,
): Generator<undefined, FollowableTag> {
  const { snapshots, addresses, now } = services;
  const accountId = grant?.accountId;
  const toUser =
    accountId === undefined
      ? undefined
      : { following: followsTag(snapshots, accountId, name), featuring: featuresTag(snapshots, accountId, name) };
  return followableTagEntity(name, yield* tagHistory(snapshots, name, dayOf(now())), addresses.origin, toUser);
}

async function tagAnswer(context: OpenContext<GatewayServices>, name: string): Promise<Answer> {
  return json(await context.services.slices.run(entityOf(context, name), context.request));
}

export const getTag = endpoint({
  method: 'GET',
  path: '/api/v1/tags/:name',
  authentication: 'optional',
  scopes: ['read:follows'],
  parameters: z.object({ name: required(text) }),
  summary: 'Returns a tag with its use in the last days.',
  answer: FollowableTagEntity,
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
    answer: FollowableTagEntity,
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
  answer: z.array(FollowableTagEntity),
  async handler(context, given) {
    const { services, grant, request } = context;
    const page = followedTagsOf(services.snapshots, grant.accountId, boundsOf(given));
    const entities = await services.slices.run(withHistories(context, page.items), request);
    return json(entities, { headers: pageHeaders(request, page, given.limit, 'since_id') });
  },
});

/** The history of a busy tag is long: other requests run between two tags. */
function* withHistories(context: OpenContext<GatewayServices>, names: readonly string[]) {
  const entities: FollowableTag[] = [];
  for (const name of names) {
    if (entities.length > 0) yield undefined;
    entities.push(yield* entityOf(context, name));
  }
  return entities;
}

export const tagEndpoints = [getTag, postTagFollow, postTagUnfollow, postTagFeature, postTagUnfeature, getFollowedTags];

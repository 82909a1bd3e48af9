/** The tags featured on profiles (specification 4.9, 6.2). */
import { z } from 'zod';
import { featuredTagsOf, proposedTags } from '../../../actors/account/featured-tags/featured-tags.queries.ts';
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { isKeptFrom } from '../../../actors/account/relationships/relationships.queries.ts';
import { refreshPinsWhenOld } from '../../../federation/remote-objects/refresh-when-old.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { addFeaturedTag, removeFeaturedTag } from '../../../operations/tags/feature-tag.ts';
import { FeaturedTagEntity, featuredTagEntity } from '../../entities/featured-tag.ts';
import { TagEntity } from '../../entities/tag.ts';
import { tagsWithHistory } from '../../entities/tags-with-history.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import { id, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { refuseSuspended } from '../accounts/answers.ts';

function entitiesOf({ snapshots, addresses }: GatewayServices, profile: Profile) {
  return featuredTagsOf(snapshots, profile.id).map((tag) => featuredTagEntity(tag, profile, addresses));
}

export const getFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/featured_tags',
  authentication: 'user',
  scopes: ['read:accounts'],
  summary: 'Lists the tags that the user features.',
  answer: z.array(FeaturedTagEntity),
  handler: ({ services, grant }) => json(entitiesOf(services, knownAccount(services, grant.accountId).profile)),
});

export const postFeaturedTag = endpoint({
  method: 'POST',
  path: '/api/v1/featured_tags',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ name: text.default('') }),
  summary: 'Features a tag on the profile.',
  answer: FeaturedTagEntity,
  async handler(context, { name }) {
    const tag = await addFeaturedTag(context, { name });
    const { services, grant } = context;
    return json(featuredTagEntity(tag, knownAccount(services, grant.accountId).profile, services.addresses));
  },
});

export const deleteFeaturedTag = endpoint({
  method: 'DELETE',
  path: '/api/v1/featured_tags/:id',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object({ id }),
  summary: 'Removes a featured tag.',
  answer: EmptyEntity,
  async handler(context, given) {
    await removeFeaturedTag(context, { featuredId: given.id });
    return empty();
  },
});

export const getProposedTags = endpoint({
  method: 'GET',
  path: '/api/v1/featured_tags/suggestions',
  authentication: 'user',
  scopes: ['read:accounts'],
  summary: 'Lists recently used tags that the user does not feature.',
  answer: z.array(TagEntity),
  async handler({ services, grant, request }) {
    const names = proposedTags(services.snapshots, grant.accountId);
    return json(await services.slices.run(tagsWithHistory(services, names, grant.accountId), request));
  },
});

export const getFeaturedTagsOfAccount = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/featured_tags',
  authentication: 'optional',
  scopes: ['read:accounts'],
  parameters: z.object({ id }),
  summary: 'Lists the tags featured by an account.',
  answer: z.array(FeaturedTagEntity),
  handler(context, given) {
    const { services, caller, grant } = context;
    const account = knownAccount(services, given.id);
    refuseSuspended(context, account);
    const { profile } = account;
    if (isKeptFrom(profile, services.presenter.viewer(grant?.accountId))) return json([]);
    // An anonymous request must not make this server contact others.
    if (grant !== undefined) refreshPinsWhenOld(services, profile.id, caller);
    return json(entitiesOf(services, profile));
  },
});

export const featuredTagEndpoints = [
  getProposedTags,
  getFeaturedTags,
  postFeaturedTag,
  deleteFeaturedTag,
  getFeaturedTagsOfAccount,
];

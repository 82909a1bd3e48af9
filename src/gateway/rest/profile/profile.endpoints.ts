/** The profile as its owner edits it (behaviour of the Mastodon API 4.6). */
import { z } from 'zod';
import { featuredTagsOf } from '../../../actors/account/featured-tags/featured-tags.queries.ts';
import { knownAccount } from '../../../operations/accounts/known-account.ts';
import { changeProfile } from '../../../operations/profile/change-profile.ts';
import type { Id } from '../../../runtime/ids.ts';
import { CredentialAccountEntity } from '../../entities/account.ts';
import { ProfileEntity, profileEntity } from '../../entities/profile.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
import { httpLimits } from '../../http/limits.ts';
import { endpoint } from '../../route.ts';
import { credentialsAnswer } from '../accounts/credentials-answer.ts';
import { profileChanges, profileParameters } from './profile-parameters.ts';

function profileAnswer(services: GatewayServices, accountId: Id): Answer {
  const { profile } = knownAccount(services, accountId);
  return json(profileEntity(profile, featuredTagsOf(services.snapshots, accountId), services.addresses));
}

const getProfile = endpoint({
  method: 'GET',
  path: '/api/v1/profile',
  authentication: 'user',
  scopes: ['profile', 'read:accounts'],
  summary: 'Returns the profile of the user as written.',
  answer: ProfileEntity,
  handler: ({ services, grant }) => profileAnswer(services, grant.accountId),
});

const patchProfile = endpoint({
  methods: ['PATCH', 'PUT'],
  path: '/api/v1/profile',
  authentication: 'user',
  scopes: ['write:accounts'],
  parameters: z.object(profileParameters),
  // A text of too many units in few characters is refused by a sentence about its field.
  bodyBytesMax: httpLimits.bodyBytesMax,
  summary: 'Changes the profile of the user; omitted parameters stay unchanged.',
  answer: ProfileEntity,
  async handler(context, given) {
    await changeProfile(context, profileChanges(given));
    const { services, grant } = context;
    return profileAnswer(services, grant.accountId);
  },
});

const pictureRemovals = (['avatar', 'header'] as const).map((picture) =>
  endpoint({
    method: 'DELETE',
    path: `/api/v1/profile/${picture}`,
    authentication: 'user',
    scopes: ['write:accounts'],
    summary: `Removes the ${picture} of the user, and its description.`,
    answer: CredentialAccountEntity,
    async handler(context) {
      await changeProfile(context, { [`${picture}File`]: null });
      return credentialsAnswer(context.services, context.grant);
    },
  }),
);

export const profileEndpoints = [getProfile, patchProfile, ...pictureRemovals];

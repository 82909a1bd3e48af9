/** The rule by which the user's posts are deleted once they are old. */
import { z } from 'zod';
import { changeCleanup, cleanupPolicyOf } from '../../../operations/cleanup/change-cleanup.ts';
import type { Services } from '../../../services/services.ts';
import { CleanupEntity, cleanupEntity } from '../../entities/own-data.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, integer } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const path = '/api/murmuration/v1/statuses_cleanup';

function answer({ services, grant }: UserContext<Services>): Answer {
  const { isOn, policy } = cleanupPolicyOf(services, grant.accountId);
  return json(cleanupEntity(isOn, policy));
}

const getCleanup = endpoint({
  method: 'GET',
  path,
  authentication: 'user',
  scopes: ['read:accounts'],
  summary: 'Returns the rule by which posts of the user are deleted once they are old, or what is offered as one.',
  answer: CleanupEntity,
  handler: answer,
});

const patchCleanup = endpoint({
  methods: ['PATCH', 'PUT'],
  path,
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters: z.object({
    enabled: boolean,
    /** In seconds. */
    min_age: integer,
    keep_direct: boolean,
    keep_pinned: boolean,
    keep_polls: boolean,
    keep_media: boolean,
    keep_favourited: boolean,
    keep_bookmarked: boolean,
    /** 0 for no such exception. */
    min_favourites: integer,
    min_reblogs: integer,
  }),
  summary:
    'Changes the rule; what is left out stays as it is. Without `enabled` nothing is deleted any more once it is off.',
  answer: CleanupEntity,
  async handler(context, given) {
    const { isOn, policy: before } = cleanupPolicyOf(context.services, context.grant.accountId);
    const leastOf = (wanted: number | undefined, kept: number | undefined) =>
      wanted === 0 ? undefined : (wanted ?? kept);
    const policy = {
      ageSecondsMin: given.min_age ?? before.ageSecondsMin,
      keepsDirect: given.keep_direct ?? before.keepsDirect,
      keepsPinned: given.keep_pinned ?? before.keepsPinned,
      keepsPolls: given.keep_polls ?? before.keepsPolls,
      keepsMedia: given.keep_media ?? before.keepsMedia,
      keepsFavourited: given.keep_favourited ?? before.keepsFavourited,
      keepsBookmarked: given.keep_bookmarked ?? before.keepsBookmarked,
      favouritesMin: leastOf(given.min_favourites, before.favouritesMin),
      reblogsMin: leastOf(given.min_reblogs, before.reblogsMin),
    };
    await changeCleanup(context, { policy: (given.enabled ?? isOn) ? policy : undefined });
    return answer(context);
  },
});

export const cleanupEndpoints = [getCleanup, patchCleanup];

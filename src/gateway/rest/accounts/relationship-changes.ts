/** The endpoints that change a relationship and have no parameter but the account. */
import { z } from 'zod';
import { authorizeFollowRequest } from '../../../operations/relationships/authorize-follow-request.ts';
import { blockAccount } from '../../../operations/relationships/block-account.ts';
import type { relationshipChange } from '../../../operations/relationships/change-relationship.ts';
import { endorseAccount, unendorseAccount } from '../../../operations/relationships/endorse-account.ts';
import { rejectFollowRequest } from '../../../operations/relationships/reject-follow-request.ts';
import { removeFromFollowers } from '../../../operations/relationships/remove-from-followers.ts';
import { unblockAccount } from '../../../operations/relationships/unblock-account.ts';
import { unfollowAccount } from '../../../operations/relationships/unfollow-account.ts';
import { unmuteAccount } from '../../../operations/relationships/unmute-account.ts';
import { RelationshipEntity } from '../../entities/relationship.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { id } from '../../http/parameter-types.ts';
import { type Deprecation, type Endpoint, endpoint, type Method } from '../../route.ts';
import { relationshipAnswer } from './answers.ts';

/** When clients began to use `endorse`. */
const pinsDeprecated = { at: Date.UTC(2025, 6, 8) };

interface RelationshipChange {
  /** POST by default. */
  readonly methods?: readonly Method[];
  readonly deprecated?: Deprecation;
  /** With one name, the account's. */
  readonly path: string;
  readonly scope: string;
  readonly summary: string;
  readonly operation: ReturnType<typeof relationshipChange>;
}

function changes(change: RelationshipChange): Endpoint<GatewayServices> {
  const { path, scope, summary, operation, methods = ['POST'], deprecated } = change;
  const name = /:(\w+)/.exec(path)?.[1] ?? '';
  return endpoint({
    methods,
    path,
    ...(deprecated && { deprecated }),
    authentication: 'user',
    scopes: [scope],
    parameters: z.object({ [name]: id }),
    summary,
    answer: RelationshipEntity,
    handler: async (context, given) =>
      relationshipAnswer(context, await operation(context, { accountId: given[name]! })),
  });
}

export const postUnfollow = changes({
  path: '/api/v1/accounts/:id/unfollow',
  scope: 'write:follows',
  summary: 'Unfollows an account, or withdraws a follow request.',
  operation: unfollowAccount,
});

export const postRemoveFromFollowers = changes({
  path: '/api/v1/accounts/:id/remove_from_followers',
  scope: 'write:follows',
  summary: 'Removes a follower.',
  operation: removeFromFollowers,
});

export const postBlock = changes({
  path: '/api/v1/accounts/:id/block',
  scope: 'write:blocks',
  summary: 'Blocks an account.',
  operation: blockAccount,
});

export const postUnblock = changes({
  path: '/api/v1/accounts/:id/unblock',
  scope: 'write:blocks',
  summary: 'Unblocks an account.',
  operation: unblockAccount,
});

export const postUnmute = changes({
  path: '/api/v1/accounts/:id/unmute',
  scope: 'write:mutes',
  summary: 'Unmutes an account.',
  operation: unmuteAccount,
});

export const postAuthorize = changes({
  path: '/api/v1/follow_requests/:account_id/authorize',
  scope: 'write:follows',
  summary: 'Accepts a follow request.',
  operation: authorizeFollowRequest,
});

export const postReject = changes({
  path: '/api/v1/follow_requests/:account_id/reject',
  scope: 'write:follows',
  summary: 'Rejects a follow request.',
  operation: rejectFollowRequest,
});

const endorsing = {
  scope: 'write:accounts',
  summary: 'Features a followed account on the profile.',
  operation: endorseAccount,
};
const unendorsing = {
  scope: 'write:accounts',
  summary: 'Removes an account from those featured on the profile.',
  operation: unendorseAccount,
};

/** Under current and former names, each undone by DELETE as well (specification 4.2). */
const endorsementChanges = [
  changes({ ...endorsing, path: '/api/v1/accounts/:id/endorse' }),
  changes({ ...unendorsing, path: '/api/v1/accounts/:id/endorse', methods: ['DELETE'] }),
  changes({ ...unendorsing, path: '/api/v1/accounts/:id/unendorse', methods: ['POST', 'DELETE'] }),
  changes({ ...endorsing, path: '/api/v1/accounts/:id/pin', deprecated: pinsDeprecated }),
  changes({ ...unendorsing, path: '/api/v1/accounts/:id/pin', methods: ['DELETE'], deprecated: pinsDeprecated }),
  changes({
    ...unendorsing,
    path: '/api/v1/accounts/:id/unpin',
    methods: ['POST', 'DELETE'],
    deprecated: pinsDeprecated,
  }),
];

export const relationshipChangeEndpoints = [
  ...endorsementChanges,
  postUnfollow,
  postRemoveFromFollowers,
  postBlock,
  postUnblock,
  postUnmute,
  postAuthorize,
  postReject,
];

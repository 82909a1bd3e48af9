/** The endpoints about accounts and what they are to one another. */
import { authorizeFollowRequest } from './authorize-follow-request.ts';
import { blockAccount } from './block-account.ts';
import { followAccount } from './follow-account.ts';
import { getAccount } from './get-account.ts';
import { getAccounts } from './get-accounts.ts';
import { getBlocks } from './get-blocks.ts';
import { getFollowRequests } from './get-follow-requests.ts';
import { getFollowers } from './get-followers.ts';
import { getFollowing } from './get-following.ts';
import { getIdentityProofs } from './get-identity-proofs.ts';
import { getMutes } from './get-mutes.ts';
import { getRelationships } from './get-relationships.ts';
import { lookupAccount } from './lookup-account.ts';
import { muteAccount } from './mute-account.ts';
import { rejectFollowRequest } from './reject-follow-request.ts';
import { removeFromFollowers } from './remove-from-followers.ts';
import { searchForAccounts } from './search-accounts.ts';
import { unblockAccount } from './unblock-account.ts';
import { unfollowAccount } from './unfollow-account.ts';
import { unmuteAccount } from './unmute-account.ts';
import { updateCredentials } from './update-credentials.ts';
import { verifyCredentials } from './verify-credentials.ts';

export const accountsEndpoints = [
  getAccounts,
  verifyCredentials,
  updateCredentials,
  lookupAccount,
  searchForAccounts,
  getRelationships,
  getAccount,
  getFollowers,
  getFollowing,
  getIdentityProofs,
  followAccount,
  unfollowAccount,
  removeFromFollowers,
  blockAccount,
  unblockAccount,
  muteAccount,
  unmuteAccount,
  getFollowRequests,
  authorizeFollowRequest,
  rejectFollowRequest,
  getBlocks,
  getMutes,
];

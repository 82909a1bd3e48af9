/** The endpoints about accounts and relationships. */
import { postFollow } from './follow-account.ts';
import { getAccount } from './get-account.ts';
import { getAccounts } from './get-accounts.ts';
import { getBlocks } from './get-blocks.ts';
import { getDirectory } from './get-directory.ts';
import { getFamiliarFollowers } from './get-familiar-followers.ts';
import { getFollowRequests } from './get-follow-requests.ts';
import { getFollowers } from './get-followers.ts';
import { getFollowing } from './get-following.ts';
import { getIdentityProofs } from './get-identity-proofs.ts';
import { getMutes } from './get-mutes.ts';
import { getRelationships } from './get-relationships.ts';
import { lookupAccount } from './lookup-account.ts';
import { postMute } from './mute-account.ts';
import { postNote } from './note-account.ts';
import { postEmailSubscriptions } from './post-email-subscriptions.ts';
import { postFollows } from './post-follows.ts';
import { relationshipChangeEndpoints } from './relationship-changes.ts';
import { getAccountSearch } from './search-accounts.ts';
import { updateCredentials } from './update-credentials.ts';
import { verifyCredentials } from './verify-credentials.ts';

export const accountsEndpoints = [
  getAccounts,
  verifyCredentials,
  updateCredentials,
  lookupAccount,
  getAccountSearch,
  getDirectory,
  getRelationships,
  getAccount,
  getFollowers,
  getFollowing,
  getIdentityProofs,
  postFollow,
  postMute,
  getFollowRequests,
  getBlocks,
  getMutes,
  getFamiliarFollowers,
  postFollows,
  postNote,
  postEmailSubscriptions,
  ...relationshipChangeEndpoints,
];

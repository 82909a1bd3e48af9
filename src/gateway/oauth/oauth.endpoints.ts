/** The endpoints of OAuth for programs. */
import { authorizationServerMetadata } from './metadata.ts';
import { postRevoke } from './post-revoke.ts';
import { postToken } from './post-token.ts';
import { userInfo } from './userinfo.ts';

export const oauthEndpoints = [authorizationServerMetadata, postToken, postRevoke, userInfo];

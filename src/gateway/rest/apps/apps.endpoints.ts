/** The endpoints of /api/v1/apps. */
import { postApps } from './post-apps.ts';
import { verifyAppCredentials } from './verify-credentials.ts';

export const appsEndpoints = [postApps, verifyAppCredentials];

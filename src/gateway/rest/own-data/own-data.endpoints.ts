/** What the user takes along, takes over from elsewhere, and deletes by rule. No other server has endpoints for it. */
import { archiveEndpoints } from './archive.ts';
import { importEndpoints } from './imports.ts';
import { cleanupEndpoints } from './statuses-cleanup.ts';

export const ownDataEndpoints = [...archiveEndpoints, ...importEndpoints, ...cleanupEndpoints];

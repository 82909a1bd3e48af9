/** The endpoints of /api/v1/statuses that read, publish and delete; interactions have a folder of their own. */
import { deleteStatus } from './delete-status.ts';
import { getStatus } from './get-status.ts';
import { postStatus } from './post-status.ts';

export const statusEndpoints = [postStatus, getStatus, deleteStatus];

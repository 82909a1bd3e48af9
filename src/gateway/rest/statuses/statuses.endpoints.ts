/** The endpoints of /api/v1/statuses for reading and writing; interactions have a folder of their own. */
import { removeStatus } from './delete-status.ts';
import { getStatus } from './get-status.ts';
import { getStatusHistory } from './get-status-history.ts';
import { getStatusSource } from './get-status-source.ts';
import { getStatuses } from './get-statuses.ts';
import { postStatus } from './post-status.ts';
import { putStatus } from './put-status.ts';

export const statusEndpoints = [
  getStatuses,
  postStatus,
  getStatus,
  putStatus,
  removeStatus,
  getStatusHistory,
  getStatusSource,
];

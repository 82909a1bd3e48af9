/** The endpoints of lists. */
import { listMemberEndpoints } from './list-members.ts';
import { listTimeline } from './list-timeline.ts';
import { ownListEndpoints } from './lists.ts';

export const listEndpoints = [...ownListEndpoints, ...listMemberEndpoints, listTimeline];

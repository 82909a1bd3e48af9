/** The timelines. */
import { homeTimeline } from './home-timeline.ts';
import { linkTimeline } from './link-timeline.ts';
import { publicTimeline } from './public-timeline.ts';
import { tagTimeline } from './tag-timeline.ts';

export const timelineEndpoints = [homeTimeline, publicTimeline, tagTimeline, linkTimeline];

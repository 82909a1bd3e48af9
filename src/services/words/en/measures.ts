/** Figures of the server for staff. */
import { forms } from '../message.ts';

export const measures = {
  title: 'Figures',
  days: forms({ one: '{count} day', other: '{count} days' }),
  latest: forms({ one: 'The last day', other: 'The last {count} days' }),
  before: forms({ one: '{number} on the day before', other: '{number} in the {count} days before' }),
  nothing: 'Nothing was counted.',
  measures: {
    activeUsers: 'Active people',
    newUsers: 'New people',
    interactions: 'Favourites, boosts, replies, votes',
    openedReports: 'New reports',
    resolvedReports: 'Closed reports',
  },
  dimensions: {
    servers: 'Servers with most posts',
    languages: 'Languages of people',
    sources: 'How people signed up',
    spaceUsage: 'Space on the disk',
    softwareVersions: 'Versions',
  },
  /** What has no name of its own. */
  shares: {
    web: 'On this website',
    lmdb: 'Database',
    media: 'Uploaded media',
    media_cache: 'Copies of media of other servers',
    search: 'Search index',
    und: 'Unknown',
  },
  retention: 'Who stays',
  retentionHint: 'Of those who came in a month, how many were active in it or later.',
  cameIn: 'Came in',
} as const;

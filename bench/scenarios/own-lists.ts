/**
 * GET of what belongs to the reader alone, in pages of 20, each against home timelines of 20 of the same server in the
 * same run: a list, notifications one by one and in groups, and conversations. The newest notifications of each reader
 * are private mentions by ten authors, the others favourites of one post.
 *
 * The newest page of notifications and conversations is kept, and nothing changes here. The rows "made anew" ask for the
 * same pages with a cursor, which are not: the whole page is put together again. What the first request after a change costs
 * is measured by `changed-lists`.
 */
import type { Scenario } from '../scenario.ts';
import { type ArchiveFacts, archiveSeed, smallerArchive } from '../seed/archive.ts';
import { againstHome, distinctHomes, type ListRow, newestHomes } from './against-home.ts';

const favourites = 'types[]=favourite&limit=20';
/** Beyond all ids. */
const madeAnew = 'max_id=9000000000000000000';

const ownLists: readonly ListRow<ArchiveFacts>[] = [
  {
    what: 'a list, 20 statuses',
    paths: ({ lists: ids }) => ids.map((id) => `/api/v1/timelines/list/${id}?limit=20`),
    homes: newestHomes,
  },
  { what: 'notifications, 20 mentions', paths: () => ['/api/v1/notifications?limit=20'], homes: distinctHomes },
  {
    what: 'notifications, 20 favourites of one post',
    paths: () => [`/api/v1/notifications?${favourites}`],
    homes: newestHomes,
  },
  {
    what: 'grouped notifications, 20 mentions',
    paths: () => ['/api/v2/notifications?limit=20'],
    homes: distinctHomes,
  },
  {
    what: 'grouped notifications, 200 favourites of one post',
    paths: () => [`/api/v2/notifications?${favourites}`],
    homes: newestHomes,
  },
  { what: 'conversations, 20 of them', paths: () => ['/api/v1/conversations?limit=20'], homes: distinctHomes },
  {
    what: 'notifications, 20 mentions, made anew',
    paths: () => [`/api/v1/notifications?limit=20&${madeAnew}`],
    homes: distinctHomes,
  },
  {
    what: 'grouped notifications, 20 mentions, made anew',
    paths: () => [`/api/v2/notifications?limit=20&${madeAnew}`],
    homes: distinctHomes,
  },
  {
    what: 'grouped notifications, 200 favourites, made anew',
    paths: () => [`/api/v2/notifications?${favourites}&${madeAnew}`],
    homes: newestHomes,
  },
  {
    what: 'conversations, made anew',
    paths: () => [`/api/v1/conversations?limit=20&${madeAnew}`],
    homes: distinctHomes,
  },
];

export const ownListsScenario: Scenario = {
  name: 'own-lists',
  summary: 'GET of a list, notifications and conversations in pages of 20, against home timelines of 20',
  run: (context) => againstHome('own-lists', context, archiveSeed(smallerArchive(context.size.archive)), ownLists),
};

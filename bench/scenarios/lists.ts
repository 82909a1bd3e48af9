/**
 * GET of the other lists of 20 statuses, each against home timelines of 20 of the same server in the same run, over many
 * different statuses on both sides: what is shown elsewhere costs what it costs at home, but for finding out what stands
 * in the list.
 */
import type { Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { tagsMax } from '../seed/people.ts';
import { againstHome, distinctHomes, type ListRow, newestHomes } from './against-home.ts';

const lists: readonly ListRow<CommunityFacts>[] = [
  {
    what: 'the public timeline, 20 statuses',
    paths: () => ['/api/v1/timelines/public?limit=20'],
    homes: newestHomes,
  },
  {
    what: 'the timeline of a tag, 20 statuses',
    paths: () => Array.from({ length: tagsMax }, (_, tag) => `/api/v1/timelines/tag/bench${tag}?limit=20`),
    homes: distinctHomes,
  },
  {
    what: 'the statuses of an account, 20 statuses',
    paths: ({ authors }) => authors.map((id) => `/api/v1/accounts/${id}/statuses?limit=20`),
    homes: distinctHomes,
  },
  {
    what: 'a thread, 20 statuses',
    paths: ({ threads }) => threads.map((id) => `/api/v1/statuses/${id}/context`),
    homes: distinctHomes,
  },
];

export const listsScenario: Scenario = {
  name: 'lists',
  summary: 'GET of public, tag, account and thread pages of 20 statuses, against home timelines of 20',
  run: (context) => againstHome('lists', context, communitySeed(context.size.community), lists),
};

/** What takes space in the partitions, in words that people know. */
import type { AnyKeyspace } from '../../runtime/storage/keyspace.ts';
import type { StorageKind } from '../../services/storage.ts';

export const kinds = {
  ownPosts: 'Posts of people here',
  otherPosts: 'Posts of other servers',
  postLists: 'Lists, replies, versions and counters of posts',
  ownAccounts: 'Accounts here',
  otherAccounts: 'Accounts of other servers',
  accountData: 'Names, keys, sign-ins, settings and lists of accounts',
  follows: 'Follows, blocks and mutes',
  interactions: 'Favourites, boosts, bookmarks, polls, quotes and requests to reply',
  notifications: 'Notifications and conversations',
  media: 'What is known of media and link previews',
  finding: 'Names and hashtags for searching',
  deliveries: 'Deliveries, mails and push messages',
  staff: 'Settings, rules, reports and the audit log',
  events: 'Event log, from which streams and the search index follow',
  machinery: 'Messages, timers and effects under way',
} as const satisfies Record<StorageKind, string>;
export type Kind = StorageKind;

/** By numbers of keyspaces (actors/catalogue.ts): first, last. The first row that has a number counts. */
const ranges: readonly (readonly [number, number, Kind])[] = [
  [7, 7, 'events'],
  [1, 19, 'machinery'],
  [25, 25, 'otherPosts'],
  [21, 21, 'otherAccounts'],
  [26, 29, 'postLists'],
  [49, 50, 'postLists'],
  [60, 60, 'postLists'],
  [65, 65, 'postLists'],
  [80, 89, 'postLists'],
  [30, 36, 'interactions'],
  [55, 55, 'interactions'],
  [61, 62, 'interactions'],
  [140, 141, 'interactions'],
  [154, 159, 'interactions'],
  [188, 189, 'interactions'],
  [37, 47, 'follows'],
  [52, 52, 'follows'],
  [194, 195, 'follows'],
  [230, 231, 'follows'],
  [48, 48, 'notifications'],
  [51, 51, 'notifications'],
  [63, 63, 'notifications'],
  [73, 79, 'notifications'],
  [169, 174, 'notifications'],
  [114, 117, 'media'],
  [160, 165, 'media'],
  [228, 229, 'media'],
  [58, 59, 'finding'],
  [212, 215, 'finding'],
  [224, 225, 'finding'],
  [122, 123, 'interactions'],
  [126, 127, 'interactions'],
  [110, 139, 'deliveries'],
  [175, 178, 'deliveries'],
  [232, 233, 'deliveries'],
  [241, 248, 'deliveries'],
  [252, 253, 'deliveries'],
  [66, 69, 'staff'],
  [100, 109, 'staff'],
  [149, 149, 'staff'],
  [190, 193, 'staff'],
  [196, 211, 'staff'],
  [234, 240, 'staff'],
  [20, 254, 'accountData'],
];

const kindByNumber = new Map(
  Array.from({ length: 255 }, (_, number) => {
    const row = ranges.find(([first, last]) => number >= first && number <= last);
    return [number, row?.[2] ?? 'machinery'] as const;
  }),
);

export function kindOf({ number }: Pick<AnyKeyspace, 'number'>): Kind {
  return kindByNumber.get(number)!;
}

/** The keyspaces of announcements: 207 to 209. */
import { present, record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { countEntries, disagreement, isKey, rule } from '../../../runtime/storage/rules.ts';
import { instanceKey } from '../instance.messages.ts';
import { instanceLimits } from '../limits.ts';
import { Announcement, ReactionCount } from './announcements.records.ts';

const owner = 'instance';

export const announcements = keyspace<[string, bigint], Announcement>({
  number: 207,
  name: 'announcements',
  owner,
  key: [hashedString('instance'), id('announcement')],
  value: record(Announcement),
  bound: { by: 'count', entries: instanceLimits.announcementsMax },
});

/** Who reacted, and how. */
export const reactions = keyspace<[string, bigint, string, bigint], true>({
  number: 208,
  name: 'announcement reactions',
  owner,
  key: [hashedString('instance'), id('announcement'), hashedString('reaction'), id('account')],
  value: present,
  bound: { by: 'owner', reason: 'a few of each account, until the announcement is withdrawn' },
});

export const reactionCounts = keyspace<[string, bigint, string], ReactionCount>({
  number: 209,
  name: 'announcement reaction counts',
  owner,
  key: [hashedString('instance'), id('announcement'), hashedString('reaction')],
  value: record(ReactionCount),
  bound: { by: 'owner', reason: 'reactionKindsMax for each announcement' },
});

export const announcementRules = [
  rule(announcements, ([, announcement], _announcement, reader) => {
    const kinds = countEntries(reader, reactionCounts, [instanceKey, announcement], ({ count }) => count > 0);
    return kinds <= instanceLimits.reactionKindsMax ? undefined : `has ${kinds} kinds of reactions`;
  }),
  // The reactions to one that was withdrawn are removed in later turns.
  rule(reactions, ([, announcement, , account], _present, reader, bytes) => {
    if (reader.get(announcements, [instanceKey, announcement]) === undefined) return undefined;
    for (const {
      value: { name },
    } of reader.range(reactionCounts, [instanceKey, announcement]))
      if (isKey(reactions, [instanceKey, announcement, name, account], bytes)) return undefined;
    return 'is not counted';
  }),
  rule(reactionCounts, ([, announcement], { name, count }, reader) =>
    disagreement('reactions', count, countEntries(reader, reactions, [instanceKey, announcement, name])),
  ),
];

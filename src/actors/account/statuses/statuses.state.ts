/** The keyspaces of statuses. Statuses are in their author's slot, so the id alone finds them. */
import { z } from 'zod';
import { type Codec, present, record } from '../../../runtime/codec.ts';
import type { BodyOf } from '../../../runtime/contract.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import type { Reader } from '../../../runtime/storage/reader.ts';
import {
  agreement,
  awaits,
  countEntries,
  counterparts,
  disagreement,
  isKey,
  type Rule,
  rule,
} from '../../../runtime/storage/rules.ts';
import { isCounted } from '../../policy/usage.ts';
import { isInPublicTimeline, isInTagTimelines } from '../../policy/visibility.ts';
import { localTimeline, mediaTimelines, remoteTimeline, tagTimeline } from '../../timelines.state.ts';
import { Account } from '../account.messages.ts';
import { owner, Reference, withAccount, withStatus } from '../account.state.ts';
import { accountCounters } from '../profile/profile.state.ts';
import { statusLimits } from './limits.ts';
import { hasOwnMedia, mediaListsOf } from './media-lists.ts';
import { isLocal, Status, StatusCounters, StatusSummary, StatusVersion } from './statuses.records.ts';

export const statuses = keyspace<[bigint], Status>({
  number: 25,
  name: 'statuses',
  owner,
  absentIfDamaged: true,
  key: [id('status')],
  value: record(Status),
  bound: withAccount,
});

export const statusesOfAccount = keyspace<[bigint, bigint], StatusSummary>({
  number: 26,
  name: 'statuses of account',
  owner,
  derived: true,
  absentIfDamaged: true,
  key: [id('account'), id('status')],
  value: record(StatusSummary),
  bound: withStatus,
});

/** Those with media, without reblogs. */
export const mediaOfAccount = keyspace<[bigint, bigint], true>({
  number: 65,
  name: 'media of account',
  owner,
  derived: true,
  key: [id('account'), id('status')],
  value: present,
  bound: withStatus,
});

export const statusCounters = keyspace<[bigint], StatusCounters>({
  number: 27,
  name: 'status counters',
  owner,
  absentIfDamaged: true,
  key: [id('status')],
  value: record(StatusCounters),
  bound: withStatus,
});

/** One byte: 2 where the status was public or unlisted. To strangers, others never existed. */
const tombstone: Codec<{ wasForEverybody: boolean }> = {
  encode: ({ wasForEverybody }) => Uint8Array.of(wasForEverybody ? 2 : 1),
  decode: (bytes) => ({ wasForEverybody: bytes[0] === 2 }),
};

/** Deleted ids, which are not given again to another status of the same time. */
export const tombstones = keyspace<[bigint], { wasForEverybody: boolean }>({
  number: 28,
  name: 'tombstones',
  owner,
  key: [id('status')],
  value: tombstone,
  bound: withAccount,
});

/** Entries of earlier versions lack some of it. */
export interface Reply {
  readonly authorId: bigint | undefined;
  /** Whether the parent's counter counts it. */
  readonly isCounted: boolean | undefined;
}

const authorBytes = 8;

/** The author and one byte: 2 for a counted reply, 3 for another. Earlier versions: the author alone, or one byte. */
const reply: Codec<Reply> = {
  encode({ authorId, isCounted: counts }) {
    if (authorId === undefined) return Uint8Array.of(1);
    const bytes = Buffer.alloc(counts === undefined ? authorBytes : authorBytes + 1, counts === true ? 2 : 3);
    bytes.writeBigUInt64BE(authorId);
    return bytes;
  },
  decode(bytes) {
    if (bytes.length < authorBytes) return { authorId: undefined, isCounted: undefined };
    const known = bytes[authorBytes];
    return { authorId: Buffer.from(bytes).readBigUInt64BE(), isCounted: known === undefined ? undefined : known === 2 };
  },
};

export const replies = keyspace<[bigint, bigint], Reply>({
  number: 29,
  name: 'replies',
  owner,
  key: [id('status'), id('reply')],
  value: reply,
  bound: withStatus,
});

const Idempotency = z.object({ statusId: z.bigint(), at: z.number() });

export const idempotencyKeys = keyspace<[bigint, string], z.infer<typeof Idempotency>>({
  number: 49,
  name: 'idempotency keys',
  owner,
  key: [id('account'), hashedString('key')],
  value: record(Idempotency),
  bound: { by: 'age', milliseconds: statusLimits.idempotencyMilliseconds },
});

/** Remote statuses by ActivityPub id. Every partition is read, because the id does not tell the author. */
export const statusByUri = keyspace<[string], Reference>({
  number: 50,
  name: 'status by URI',
  owner,
  partitionWide: true,
  derived: true,
  key: [hashedString('uri')],
  value: record(Reference),
  bound: withStatus,
});

/** The former versions of statuses, in order. */
export const statusVersions = keyspace<[bigint, bigint], StatusVersion>({
  number: 60,
  name: 'status versions',
  owner,
  key: [id('status'), id('version')],
  value: record(StatusVersion),
  bound: { by: 'count', entries: statusLimits.versionsMax },
});

const withoutStatus = (status: bigint, reader: Reader): string | undefined =>
  reader.get(statuses, [status]) === undefined ? 'leads to a status that is not there' : undefined;

function repliesMiscounted(status: bigint, said: number, reader: Reader): string | undefined {
  const all = [...reader.range(replies, [status])];
  const known = all.filter(({ value }) => value.isCounted === true).length;
  const unknown = all.filter(({ value }) => value.isCounted === undefined).length;
  if (said >= known && said <= known + unknown) return undefined;
  return disagreement('replies', said, known);
}

export const statusRules: readonly Rule[] = [
  ...counterparts(
    statuses,
    (_key, { id: status, accountId }) => [accountId, status],
    statusesOfAccount,
    ([, status]) => [status],
  ),
  rule(statuses, ([status], { uri, activityUri }, reader) => {
    const known = uri ?? activityUri;
    return known === undefined || reader.get(statusByUri, [known])?.id === status
      ? undefined
      : 'is not found by its URI';
  }),
  rule(statuses, (_key, status, reader) => {
    const isListed = reader.get(remoteTimeline, [status.id]) !== undefined;
    const belongs = !isLocal(status) && isInPublicTimeline(status);
    return isListed === belongs ? undefined : `is ${isListed ? '' : 'not '}in the remote timeline`;
  }),
  rule(statuses, (_key, status, reader) => {
    const missing = status.tags.find(({ name }) => reader.get(tagTimeline, [name, status.id]) === undefined);
    return missing === undefined || !isInTagTimelines(status) ? undefined : `is not in the timeline of ${missing.name}`;
  }),
  rule(statuses, (_key, status, reader) => {
    const missing = mediaListsOf(status).find((list) => reader.get(mediaTimelines, [list, status.id]) === undefined);
    return missing === undefined ? undefined : `is not in the list of those with media ${missing}`;
  }),
  rule(statuses, ([id], status, reader) => {
    const isListed = reader.get(mediaOfAccount, [status.accountId, id]) !== undefined;
    return isListed === hasOwnMedia(status) ? undefined : `is ${isListed ? '' : 'not '}among the media of its account`;
  }),
  rule(mediaOfAccount, ([account, status], _present, reader) =>
    reader.get(statuses, [status])?.accountId === account ? undefined : 'leads to no status of the account',
  ),
  rule(mediaTimelines, ([, id], _entry, reader, bytes) => {
    const status = reader.get(statuses, [id]);
    const isListed =
      status !== undefined && mediaListsOf(status).some((list) => isKey(mediaTimelines, [list, id], bytes));
    return isListed ? undefined : 'leads to a status that is not in this list';
  }),
  rule(tombstones, ([status], _value, reader) =>
    reader.get(statuses, [status]) === undefined ? undefined : 'is of a status that is there',
  ),
  rule(statuses, (_key, status, reader) => {
    const isListed = reader.get(localTimeline, [status.id]) !== undefined;
    const belongs = isLocal(status) && isInPublicTimeline(status);
    return isListed === belongs ? undefined : `is ${isListed ? '' : 'not '}in the local timeline`;
  }),
  rule(statusByUri, (_key, { id: status }, reader, bytes) => {
    const { uri, activityUri } = reader.get(statuses, [status]) ?? {};
    const known = uri ?? activityUri;
    return known !== undefined && isKey(statusByUri, [known], bytes) ? undefined : 'leads to a status that has another';
  }),
  rule(remoteTimeline, ([status], _entry, reader) => withoutStatus(status, reader)),
  rule(localTimeline, ([status], _entry, reader) => withoutStatus(status, reader)),
  rule(tagTimeline, ([, id], _entry, reader, bytes) => {
    const status = reader.get(statuses, [id]);
    const isTagged = status?.tags.some(({ name }) => isKey(tagTimeline, [name, id], bytes)) ?? false;
    return isTagged ? undefined : 'leads to a status without this tag';
  }),
  // The versions of a deleted status are removed in later turns. Their times say nothing: the clock may have been set back.
  rule(statusVersions, ([status, version], _version, reader) => {
    const present = reader.get(statuses, [status]);
    if (present === undefined) return undefined;
    if (present.editedAt === undefined) return 'is of a status that was never edited';
    return version > status ? undefined : 'is older than its status';
  }),
  awaits(idempotencyKeys, [Account.forgetIdempotencyKey], {
    isMeant: ([account], { key }: BodyOf<typeof Account.forgetIdempotencyKey>, bytes) =>
      isKey(idempotencyKeys, [account, key], bytes),
  }),
  rule(statusCounters, ([status], _said, reader) => withoutStatus(status, reader)),
  rule(statusCounters, ([status], said, reader) => repliesMiscounted(status, said.replies, reader)),
  agreement(replies, ([status, replyId], _reply, server) => {
    // The entries of a deleted status are removed list by list, in later turns.
    if (server.get(statuses, [status]) === undefined) return undefined;
    return server.get(statuses, [replyId])?.inReplyToId === status ? undefined : 'leads to no reply to it';
  }),
  agreement(statuses, ([id], { inReplyToId: parent, heldReply }, server) => {
    if (parent === undefined || heldReply !== undefined || server.get(statuses, [parent]) === undefined)
      return undefined;
    return server.get(replies, [parent, id]) === undefined ? 'is not among the replies to its parent' : undefined;
  }),
  rule(accountCounters, ([account], said, reader) => {
    const counted = countEntries(reader, statusesOfAccount, [account], isCounted);
    return disagreement('statuses', said.statuses, counted);
  }),
];

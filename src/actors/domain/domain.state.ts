/** The keyspaces of remote hosts. */
import { z } from 'zod';
import { record } from '../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../runtime/storage/keyspace.ts';

const owner = 'domain';

/** The inbox through which one follower of a local account is reached. */
const FollowerInbox = z.object({ inbox: z.string() });
export const followerInboxes = keyspace<[string, bigint, bigint], z.infer<typeof FollowerInbox>>({
  number: 110,
  name: 'follower inboxes',
  owner,
  key: [hashedString('domain'), id('account'), id('follower')],
  value: record(FollowerInbox),
  bound: { by: 'owner', reason: 'as long as the follow' },
});

/** How many activities of the host wait for something that must be fetched; absent for none. */
const ReceivedCount = z.object({ count: z.number() });
export const receivedCounts = keyspace<[string], z.infer<typeof ReceivedCount>>({
  number: 111,
  name: 'received counts',
  owner,
  key: [hashedString('domain')],
  value: record(ReceivedCount),
  bound: { by: 'owner', reason: 'only while something waits' },
});

/** The Poll entity: its id is that of its status. The viewer's votes are at its end (encoded-status.ts). */
import { z } from 'zod';
import type { CustomEmoji } from '../../actors/account/account.records.ts';
import type { Poll, PollTally } from '../../actors/account/polls/polls.records.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { MediaOwner } from '../../services/media/media-owner.ts';
import { EmojiEntity, emojiEntities } from './emoji.ts';
import { count, flag, id, text, time, timestamp } from './values.ts';

const pollFields = {
  id,
  expires_at: time.nullable(),
  expired: flag,
  multiple: flag,
  votes_count: count,
  voters_count: count.nullable(),
  options: z.array(z.strictObject({ title: text, votes_count: count.nullable() })),
  emojis: z.array(EmojiEntity),
};

/** As a user sees it. */
export const UserPollEntity = z
  .strictObject({ ...pollFields, voted: flag, own_votes: z.array(count) })
  .meta({ id: 'UserPoll' });
export const OpenPollEntity = z.strictObject(pollFields).meta({ id: 'OpenPoll' });
export const PollEntity = z.union([UserPollEntity, OpenPollEntity]).meta({ id: 'Poll' });

/** The same for every viewer. `named`: the emojis of the status by `author`, of which it shows those in its options. */
export function pollEntity(
  statusId: Id,
  poll: Poll,
  tally: PollTally | undefined,
  named: readonly CustomEmoji[],
  addresses: Addresses,
  author: MediaOwner,
): z.output<typeof OpenPollEntity> {
  const { options, multiple, hideTotals, expiresAt } = poll;
  const isShown = ({ shortcode }: CustomEmoji) => options.some((option) => option.includes(`:${shortcode}:`));
  const votes = options.map((_, option) => tally?.votes[option] ?? 0);
  const isClosed = tally?.isClosed === true;
  const voters = tally === undefined ? 0 : (tally.voters ?? null);
  return {
    id: statusId.toString(),
    expires_at: expiresAt === undefined ? null : timestamp(expiresAt),
    expired: isClosed,
    multiple,
    votes_count: votes.reduce((sum, votesFor) => sum + votesFor, 0),
    voters_count: multiple ? voters : null,
    options: options.map((title, option) => ({
      title,
      votes_count: hideTotals && !isClosed ? null : votes[option]!,
    })),
    emojis: emojiEntities(named.filter(isShown), addresses, author),
  };
}

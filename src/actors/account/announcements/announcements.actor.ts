/** Dismissing announcements, which concerns only the account itself. */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { announcementMessages } from './announcements.messages.ts';
import * as state from './announcements.state.ts';

const { dismissedAnnouncements } = state;

function dismissAnnouncement(
  turn: AccountTurn,
  { announcementId, present }: BodyOf<typeof announcementMessages.dismissAnnouncement>,
): undefined {
  ownProfile(turn);
  const accountId = turn.self.key;
  for (const { key } of [...turn.range(dismissedAnnouncements, [accountId])])
    if (!present.includes(key[1])) turn.delete(dismissedAnnouncements, [accountId, key[1]]);
  turn.put(dismissedAnnouncements, [accountId, announcementId], true);
}

export const announcementsFeature = feature<AccountTurn>()({
  messages: announcementMessages,
  handlers: { dismissAnnouncement },
  state: [state],
});

/** The account actor: the handlers of all its features. */
import { implement, joined } from '../../runtime/contract.ts';
import { Account } from './account.messages.ts';
import type { AccountTurn } from './account.turn.ts';
import { interactionHandlers } from './interactions/interactions.actor.ts';
import { notificationHandlers } from './notifications/notifications.actor.ts';
import { profileHandlers } from './profile/profile.actor.ts';
import { relationshipHandlers } from './relationships/relationships.actor.ts';
import { remoteHandlers } from './remote/remote.actor.ts';
import { statusHandlers } from './statuses/statuses.actor.ts';

export const accountActor = implement<AccountTurn>()(
  Account,
  joined(
    profileHandlers,
    statusHandlers,
    interactionHandlers,
    relationshipHandlers,
    notificationHandlers,
    remoteHandlers,
  ),
);

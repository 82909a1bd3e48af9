/** The handlers of remote accounts: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import * as answers from './follow-answers.ts';
import * as followersSynchronization from './followers-synchronization.ts';
import * as forgetting from './forget-statuses.ts';
import * as lateAddressee from './late-addressee.ts';
import * as purge from './purge.ts';
import * as purgeKnown from './purge-known.ts';
import * as receivedStatuses from './received-statuses.ts';
import * as refreshing from './refresh.ts';
import { remoteMessages } from './remote.messages.ts';
import * as remoteProfile from './remote-profile.ts';
import * as undo from './undo.ts';

export const remoteFeature = feature<AccountTurn>()({
  messages: remoteMessages,
  handlers: {
    ...answers,
    ...followersSynchronization,
    ...forgetting,
    ...lateAddressee,
    ...purge,
    ...purgeKnown,
    ...refreshing,
    ...receivedStatuses,
    ...remoteProfile,
    ...undo,
  },
  state: [],
});

/** The handlers of collections: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { collectionMessages } from './collections.messages.ts';
import * as state from './collections.state.ts';
import * as curating from './curating.ts';
import * as featuring from './featuring.ts';
import * as received from './received-collections.ts';

export const collectionsFeature = feature<AccountTurn>()({
  messages: collectionMessages,
  handlers: { ...curating, ...featuring, ...received },
  state: [state],
  rules: state.collectionRules,
});

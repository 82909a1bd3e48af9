/** The handlers of featured tags: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { countTagged, findLastTagged } from './count-tagged.ts';
import * as featuring from './feature-tag.ts';
import { featuredTagMessages } from './featured-tags.messages.ts';
import * as state from './featured-tags.state.ts';

export const featuredTagsFeature = feature<AccountTurn>()({
  messages: featuredTagMessages,
  handlers: { ...featuring, countTagged, findLastTagged },
  state: [state],
  rules: state.featuredTagRules,
});

/** The handlers of quotes: each message is run by the function of its name. */
import { feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { quoteMessages } from './quotes.messages.ts';
import * as state from './quotes.state.ts';
import { changeQuotePolicy, quoted, quoteRemoved, quoteRequested, revokeQuote, tellQuoters } from './quotes.ts';
import { decideQuote, receiveQuoteAnswer, receiveQuoteRequest, verifyQuote } from './quoting.ts';

export const quotesFeature = feature<AccountTurn>()({
  messages: quoteMessages,
  handlers: {
    ...{ quoted, quoteRequested, revokeQuote, quoteRemoved, changeQuotePolicy, tellQuoters },
    ...{ decideQuote, receiveQuoteAnswer, receiveQuoteRequest, verifyQuote },
  },
  state: [state],
  rules: state.quoteRules,
});

/** The history of sign-ins: each message is run by the function of its name. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import type { AccountTurn } from '../account.turn.ts';
import { signInMessages } from './sign-ins.messages.ts';
import * as state from './sign-ins.state.ts';
import { forgetExpired, keepSignIn, useAddress } from './sign-ins.turn.ts';

function signedIn(turn: AccountTurn, said: BodyOf<typeof signInMessages.signedIn>): undefined {
  keepSignIn(turn, said);
}

function addressUsed(turn: AccountTurn, { address, until }: BodyOf<typeof signInMessages.addressUsed>): undefined {
  useAddress(turn, address, until);
}

function forgetSignIns(turn: AccountTurn): undefined {
  forgetExpired(turn);
}

export const signInsFeature = feature<AccountTurn>()({
  messages: signInMessages,
  handlers: { signedIn, addressUsed, forgetSignIns },
  state: [state],
  rules: state.signInRules,
});

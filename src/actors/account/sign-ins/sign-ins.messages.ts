/** The history of sign-ins to a local account. Message numbers 510 to 512. */
import { z } from 'zod';
import { call, cast, Done, Nothing } from '../../../runtime/contract.ts';
import { SignIn } from './sign-ins.records.ts';

export const signInMessages = {
  /** Does nothing for an account that is gone. */
  signedIn: call(510, SignIn.omit({ at: true }), Done),
  /** A token or a browser of the account was used from an address: kept once a day. */
  addressUsed: cast(511, z.object({ address: z.string(), until: z.number() })),
  /** What was kept long enough is forgotten. */
  forgetSignIns: cast(512, Nothing),
};

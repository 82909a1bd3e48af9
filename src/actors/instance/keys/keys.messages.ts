/** The instance actor's messages about keys: its own, and new ones for all accounts. Message numbers 436, and 570 to 574. */
import { z } from 'zod';
import { call, cast } from '../../../runtime/contract.ts';
import { identifier } from '../../account/account.records.ts';
import { KeyPair } from '../../account/profile/profile.records.ts';
import { audited } from '../../audit.records.ts';
import { KeyRotation } from './keys.records.ts';

export const keyMessages = {
  /** The key of the server's own actor from now on, as if it had always been. Throws Failure notFound before there are secrets. */
  replaceKeyPair: call(436, z.object({ keyPair: KeyPair, ...audited }), z.undefined()),
  /** The same for a new key: subscribers of the relay are told. */
  rotateKeyPair: call(570, z.object({ keyPair: KeyPair, ...audited }), z.undefined()),
  forgetFormerKeyPair: cast(571, z.object({})),
  /** New keys for all local accounts, in slices. The reply is how far that is, also of one that goes on already, or has just ended. */
  rotateAllKeys: call(572, z.object(audited), KeyRotation.extend({ isNew: z.boolean() })),
  /** The timer between two slices. `after`: the last account looked at. */
  rotateSomeKeys: cast(573, z.object({ after: identifier.optional() })),
  someKeysRotated: cast(574, z.object({ rotated: z.number(), after: identifier.optional() })),
};

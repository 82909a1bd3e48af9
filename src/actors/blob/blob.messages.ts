/**
 * Blobs: who refers to the bytes that the blob store keeps under a name (services/blobs). One actor a name, so that bytes
 * which several uploads share go with the last of them.
 */
import { z } from 'zod';
import { call, cast, contract, Done, Nothing } from '../../runtime/contract.ts';
import { identifier } from '../account/account.records.ts';
import { blobKind } from '../kinds.ts';

const Held = z.object({ holderId: identifier });

export const Blob = contract(blobKind, {
  /**
   * Before the bytes are stored: they will be held within a day. Fails with `overloaded` while older bytes of that name
   * are being removed.
   */
  announce: call(1, z.object({ bytes: z.number() }), Done),
  /** From a holder, such as an attachment, which has an id of its own for as long as it exists. */
  hold: cast(2, Held.extend({ bytes: z.number() })),
  release: cast(3, Held),
  /** The timer: removes the bytes if nobody holds or expects them. */
  sweep: cast(4, Nothing),
  /** The answer of the effect: the store has them no more. */
  removed: cast(5, Nothing),
});

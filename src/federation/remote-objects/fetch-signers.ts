/** Who signs GET requests: a local account on whose behalf something is fetched, or the server's own actor. */

import { serverActorId } from '../../actors/intents.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { Id } from '../../runtime/ids.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';
import type { LocalSigners } from '../local-signers.ts';

/**
 * The signer for an account. Without one, the server's own actor: every GET is signed, because some servers answer no
 * unsigned requests. Rejects with Failure notFound for an account that is gone.
 */
export type SignerOf = (onBehalfOf?: Id) => Promise<RequestSigner>;

export function signerOf(
  services: Pick<Services, 'client' | 'snapshots' | 'now' | 'members'>,
  signers: Pick<LocalSigners, 'find'>,
): SignerOf {
  return async (onBehalfOf) => {
    const signer = onBehalfOf === undefined ? undefined : await signers.find(onBehalfOf);
    if (signer !== undefined) return signer;
    // The first request of a new server makes them.
    await secretsOf(services);
    return (await signers.find(serverActorId))!;
  };
}

/**
 * Who has written what somebody else brings to the relay: proved by its signature (RsaSignature2017), with which every
 * subscriber can verify it again, or by its proof (FEP-8b32), which few know: what has only that is announced.
 */
import type { KeyObject } from 'node:crypto';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { RelayActor } from '../../services/relay.ts';
import { type ProofServices, proveDocument, signatureClaim } from '../document-signatures/document-proofs.ts';
import { proofClaim, proveByProof } from '../document-signatures/integrity-proofs.ts';
import { type Offer, readOffer } from './read-relayed.ts';
import type { RelayActors, RelaySigner } from './relay-actors.ts';
import type { RelayRequest } from './relay-request.ts';

export interface ProvedAuthor {
  readonly author: RelayActor;
  /** By a signature: it may be passed on as it is. */
  readonly isSigned: boolean;
}

/** Undefined where neither is there, or fits. Rejects with Failure overloaded. */
export async function provedAuthor(
  services: ProofServices,
  actors: Pick<RelayActors, 'find' | 'fetchSigner'>,
  offer: Offer,
  { json, body }: Pick<RelayRequest, 'json' | 'body'>,
): Promise<ProvedAuthor | undefined> {
  let signer: RelaySigner | undefined;
  const keyOf = async (creator: string): Promise<KeyObject | undefined> => {
    signer = actors.find(creator) ?? (await actors.fetchSigner(creator));
    return signer?.publicKey;
  };
  const authorOf = (found: { readonly readable: JsonObject } | { readonly refusal: unknown }) => {
    const proved = 'readable' in found ? readOffer(found.readable) : undefined;
    return proved !== undefined && isSame(proved, offer) && signer?.actor.uri === offer.author
      ? signer.actor
      : undefined;
  };
  const signature = signatureClaim(json);
  if (signature !== undefined) {
    const passedOn = { json, text: body.toString('utf8'), claim: signature, isSpare: false };
    const author = authorOf(await proveDocument(services, passedOn, keyOf));
    if (author !== undefined) return { author, isSigned: true };
  }
  const proof = proofClaim(json);
  const author = proof && authorOf(await proveByProof(json, proof, services.now(), keyOf));
  return author && { author, isSigned: false };
}

function isSame(proved: Offer, offer: Offer): boolean {
  return (['id', 'type', 'object', 'author'] as const).every((field) => proved[field] === offer[field]);
}

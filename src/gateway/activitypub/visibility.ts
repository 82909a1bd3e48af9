/**
 * Whether another server may have a status with a limited audience: the request is signed, and the signing actor may
 * see the status. A server's own actor represents its host: it may have what an account of that host was sent.
 */

import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { maySee } from '../../actors/policy/visibility.ts';
import { activityPubOf } from '../../federation/activitypub.ts';
import { hostOf } from '../../federation/documents/values.ts';
import { RequestHeaders } from '../../federation/inbox/request-headers.ts';
import type { KnownAccount } from '../../federation/known-accounts.ts';
import { wasSentToHost } from '../../federation/sent-statuses.ts';
import { examineRequest } from '../../outbound/signatures/examine-request.ts';
import type { SignedRequest } from '../../outbound/signatures/types.ts';
import { verifyRequest } from '../../outbound/signatures/verify-request.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { Services } from '../../services/services.ts';
import type { IncomingRequest } from '../http/request.ts';

/** Throws notFound unless the request is signed by an actor that may have the status. */
export async function assertMayHave(request: IncomingRequest, services: Services, status: Status): Promise<void> {
  const signer = await signerOf(request, services);
  const { snapshots } = services;
  if (signer === undefined || signer.isSuspended || !mayHave(snapshots, status, signer, services.now()))
    throw new Failure('notFound');
}

function mayHave(snapshots: Snapshots, status: Status, signer: KnownAccount, now: number): boolean {
  if (maySee(status, viewerOf(snapshots, signer.id, now))) return true;
  return signer.isServer && wasSentToHost(snapshots, status, signer.host);
}

/** The account that signed a GET; undefined for an unsigned request or an invalid signature. */
export async function signerOf(request: IncomingRequest, services: Services): Promise<KnownAccount | undefined> {
  const { addresses } = services;
  const signed: SignedRequest = {
    method: request.method,
    origin: addresses.origin,
    rawTarget: request.url,
    headers: new RequestHeaders(request, addresses.host),
    body: undefined,
  };
  const examination = examineRequest(signed, { now: services.now(), ownHosts: new Set([addresses.host]) });
  if (!examination.ok) return undefined;
  const { signature } = examination;
  // What everybody may read is not refused: who asks could leave the signature out.
  if (domainPolicy(services).isSuspended(hostOf(signature.keyId))) return undefined;
  const { signers, heardHosts } = activityPubOf(services);
  const known = signers.find(signature.keyId);
  try {
    const isKnown = known !== undefined && verifyRequest(signed, signature, known.publicKey).ok;
    const { account } = isKnown ? known : await signers.prove(signed, { signature, address: request.ip });
    heardHosts.heard(account.host);
    return account;
  } catch (error) {
    if (error instanceof Failure && error.code === 'signatureInvalid') return undefined;
    throw error;
  }
}

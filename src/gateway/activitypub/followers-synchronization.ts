/** GET followers_synchronization: who of the asking server follows an account (FEP-8fcf). */
import { wholeCollection } from '../../federation/documents/collections.ts';
import { plainContext } from '../../federation/documents/contexts.ts';
import { followersByOrigin } from '../../federation/followers-by-origin.ts';
import { followersSynchronizationAddress } from '../../federation/local-addresses.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { jsonAnswer } from './answers.ts';
import { localAccount } from './find.ts';
import { signerOf } from './visibility.ts';

/**
 * For signed requests: to others, the list would show who follows. Throws signatureInvalid, and notFound for an unknown
 * name.
 */
export async function getFollowersSynchronization(context: RawContext<Services>): Promise<Answer> {
  const { request, services, pathParameters } = context;
  const { snapshots, addresses, slices } = services;
  const { id, username } = localAccount(snapshots, pathParameters.name).profile;
  const signer = await signerOf(request, services);
  const origin = signer === undefined || signer.isSuspended ? undefined : URL.parse(signer.uri)?.origin;
  if (origin === undefined) throw new Failure('signatureInvalid');
  const followers = await slices.run(followersByOrigin(snapshots, id));
  const collection = wholeCollection(followersSynchronizationAddress(addresses, username), followers.get(origin) ?? []);
  return jsonAnswer(request, { '@context': plainContext, ...collection }, false);
}

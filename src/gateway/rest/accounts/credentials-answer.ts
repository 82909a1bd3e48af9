/**
 * The answer that shows users their own account. Every app asks for it whenever it starts: it is made anew only when one
 * of the records that it is made of has changed.
 */
import { credentialSpaces, findCredentials } from '../../../actors/account/profile/profiles.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { credentialAccountEntity } from '../../entities/account.ts';
import { type Answer, bytes, json, jsonContentType } from '../../http/answers.ts';
import type { Grant, UserGrant } from '../../http/grant.ts';
import { movedAccount } from './answers.ts';

interface MadeAnswer {
  /** The records that it was made of. */
  readonly stored: Buffer;
  readonly body: Buffer;
}

/** By grant, of which there is one object as long as its token is in use. */
const made = new WeakMap<Grant, MadeAnswer>();

export function credentialsAnswer(services: Services, grant: UserGrant): Answer {
  const stored = services.snapshots.stored(credentialSpaces, [grant.accountId]);
  const known = made.get(grant);
  if (known?.stored.equals(stored) === true) return bytes(known.body, { contentType: jsonContentType });
  const credentials = findCredentials(services.snapshots, grant.accountId);
  if (credentials === undefined) throw new Failure('notFound');
  const { account } = credentials;
  const moved = movedAccount(services, account);
  const answer = json(credentialAccountEntity(credentials, services.addresses, moved));
  // Requests to follow a locked account, and an account that this one has moved to, change without these records.
  if (!account.profile.locked && moved === undefined)
    made.set(grant, { stored: Buffer.from(stored), body: Buffer.from(answer.body) });
  return answer;
}

/**
 * The answer that shows users their own account. Every app asks for it whenever it starts: it is made anew only when one
 * of the records that it is made of has changed.
 */
import { credentialSpaces, findCredentials } from '../../../actors/account/profile/profiles.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { credentialAccountEntity } from '../../entities/account.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes, json, jsonContentType } from '../../http/answers.ts';
import type { UserGrant } from '../../http/grant.ts';
import { movedAccount } from './answers.ts';

export function credentialsAnswer(services: GatewayServices, { accountId }: UserGrant): Answer {
  const stored = services.snapshots.stored(credentialSpaces, [accountId]);
  const known = services.credentials.find(accountId, stored);
  if (known !== undefined) return bytes(known, { contentType: jsonContentType });
  const credentials = findCredentials(services.snapshots, accountId);
  if (credentials === undefined) throw new Failure('notFound');
  const { account } = credentials;
  const moved = movedAccount(services, account);
  const answer = json(credentialAccountEntity(credentials, services.addresses, moved));
  // Requests to follow a locked account, and an account that this one has moved to, change without these records.
  if (!account.profile.locked && moved === undefined) services.credentials.keep(accountId, stored, answer.body);
  return answer;
}

/**
 * The answer with a user's own account. Every app requests it at start: it is encoded anew only when one of its records
 * has changed.
 */
import { credentialSpaces, findCredentials } from '../../../actors/account/credentials.queries.ts';
import { countingRole } from '../../../actors/instance/roles/roles.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import { credentialAccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes, json, jsonContentType, wholeBody } from '../../http/answers.ts';
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
  const shown = accountsFor(services, accountId);
  const role = countingRole(services.snapshots, credentials.login);
  const answer = json(credentialAccountEntity(credentials, shown(account, moved), role));
  // Requests to follow a locked account, the new account of a moved one, and added roles change without these records.
  const { locked, roleId } = account.profile;
  if (!locked && roleId === undefined && moved === undefined)
    services.credentials.keep(accountId, stored, wholeBody(answer.body));
  return answer;
}

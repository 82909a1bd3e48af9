/** The answer that shows users their own account. */
import { findCredentials } from '../../../actors/account/profiles.queries.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { Services } from '../../services.ts';
import { credentialAccountEntity } from '../entities/account.ts';
import { movedAccount } from './answers.ts';

export function credentialsAnswer(services: Services, accountId: Id): Answer {
  const credentials = findCredentials(services.snapshots, accountId);
  if (credentials === undefined) throw new Failure('notFound');
  return json(credentialAccountEntity(credentials, services.addresses, movedAccount(services, credentials.account)));
}

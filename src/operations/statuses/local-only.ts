/** Whether a new status stays on this server: nothing of it is told to any other (docs/decisions/0081). */
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import { isLocal } from '../../actors/account/statuses/statuses.records.ts';
import { validationFailure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';

interface Related {
  readonly parent: StatusView | undefined;
  readonly quoted: StatusView | undefined;
}

/**
 * What answers or quotes a status that stays here stays here as well. Throws Failure validation where the operator does not
 * offer it, and for a quote of a status of another server, whose author would have to be asked.
 */
export function staysHere(
  { options }: Pick<Services, 'options'>,
  { localOnly: isWanted = false }: { readonly localOnly?: boolean | undefined },
  { parent, quoted }: Related,
): boolean {
  const isImplied = parent?.status.localOnly === true || quoted?.status.localOnly === true;
  if (isWanted && !isImplied && !options.localOnlyPosts)
    throw validationFailure('Posts for this server alone are not offered here', { reason: 'localOnlyNotOffered' });
  const staysHere = isWanted || isImplied;
  if (staysHere && quoted !== undefined && !isLocal(quoted.status))
    throw validationFailure('A post for this server alone cannot quote a post of another server', {
      reason: 'localOnlyQuotesRemote',
    });
  return staysHere;
}

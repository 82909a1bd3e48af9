/** The context in which an import does what its rows say. */
import { asFailure, isTemporary } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { AccountCaller } from '../caller.ts';
import { onBehalfOf } from '../on-behalf.ts';
import type { OperationContext } from '../operation.ts';

/** Undefined where the account may not be used: disabled, suspended, about to be deleted. */
export function contextIfUsable(services: Services, accountId: bigint): OperationContext<AccountCaller> | undefined {
  try {
    return onBehalfOf(services, accountId);
  } catch (error) {
    if (isTemporary(asFailure(error))) throw error;
    return undefined;
  }
}

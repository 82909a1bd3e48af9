/** Where a sign-in comes from, for the history that the account and staff see. */
import { signInLimits } from '../../actors/account/sign-ins/limits.ts';
import type { SignInSource } from '../../actors/account/sign-ins/sign-ins.records.ts';
import type { Services } from '../../services/services.ts';
import type { OperationContext } from '../operation.ts';

const dayMilliseconds = 24 * 60 * 60 * 1000;

type Kept = Pick<Services, 'options' | 'now'>;

/** Undefined where the option says that nothing is kept. */
function keptUntil({ options, now }: Kept): number | undefined {
  return options.signInDays === 0 ? undefined : now() + options.signInDays * dayMilliseconds;
}

export function sourceOf(
  { caller, services }: OperationContext,
  way: SignInSource['way'],
  userAgent: string | undefined,
): SignInSource | undefined {
  const until = keptUntil(services);
  if (until === undefined) return undefined;
  const address = caller.address?.();
  const software = userAgent?.slice(0, signInLimits.userAgentCharactersMax);
  return {
    way,
    until,
    ...(address !== undefined && { address }),
    ...(software !== undefined && software !== '' && { userAgent: software }),
  };
}

/** From where a token or a browser is used. */
export function useFrom(services: Kept, address: string): { address: string; until: number } | undefined {
  const until = keptUntil(services);
  return until === undefined ? undefined : { address, until };
}

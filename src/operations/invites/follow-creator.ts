/** A new account follows whoever has invited it. Runs on network threads. */
import { followCreator } from '../../actors/account/local/local.effects.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { isRefusal } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import { onBehalfOf } from '../on-behalf.ts';
import { followAccount } from '../relationships/follow-account.ts';

/** What is refused for good is left: the creator was suspended meanwhile, or blocks the account. */
export function inviteRunner(services: Services): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(followCreator, async ({ accountId, creatorId }, cause) => {
    try {
      await followAccount(onBehalfOf(services, accountId, cause), { accountId: creatorId, options: {} });
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return {};
  });
}

/** GET /api/v1/accounts/familiar_followers: which accounts that the user follows also follow these accounts. */
import { z } from 'zod';
import { familiarFollowers, followedLately } from '../../../actors/account/relationships/familiar-followers.queries.ts';
import { relationshipLimits } from '../../../actors/account/relationships/limits.ts';
import type { Id } from '../../../runtime/ids.ts';
import { AccountEntity } from '../../entities/account.ts';
import { id as entityId } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { JsonPieces } from '../../http/json-pieces.ts';
import { idList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';

const FamiliarFollowersEntity = z
  .strictObject({ id: entityId, accounts: z.array(AccountEntity) })
  .meta({ id: 'FamiliarFollowers' });

export const getFamiliarFollowers = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/familiar_followers',
  authentication: 'user',
  scopes: ['read:follows'],
  parameters: z.object({ id: idList }),
  summary: 'Lists the accounts followed by the user that follow these accounts.',
  answer: z.array(FamiliarFollowersEntity),
  async handler({ services, grant, request }, { id: given = [] }) {
    const accountIds = [...new Set(given)].slice(0, relationshipLimits.familiarAccountsMax);
    return jsonBytes(await services.slices.run(familiarWithEach(services, grant.accountId, accountIds), request));
  },
});

/** In slices: comparing thousands of follows takes some milliseconds, and so does showing 40 accounts for each. */
function* familiarWithEach(
  services: GatewayServices,
  viewerId: Id,
  accountIds: readonly Id[],
): Generator<undefined, readonly Buffer[]> {
  const { snapshots, presenter, answers } = services;
  const followed = followedLately(snapshots, viewerId);
  const answer = new JsonPieces();
  for (const accountId of accountIds) {
    yield;
    const ids = familiarFollowers(snapshots, viewerId, accountId, followed);
    if (ids === undefined) continue;
    if (ids.length > 0) yield;
    const choose = presenter.allAccounts(viewerId);
    const accounts = ids.flatMap((id) => choose(id) ?? []).filter(({ isSuspended }) => !isSuspended);
    answer.addArray(answers.familiarFollowers(accountId, accounts));
  }
  return answer.end();
}

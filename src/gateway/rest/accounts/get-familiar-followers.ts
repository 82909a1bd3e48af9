/** GET /api/v1/accounts/familiar_followers: which accounts that the user follows also follow these accounts. */
import { z } from 'zod';
import { familiarFollowers } from '../../../actors/account/relationships/familiar-followers.queries.ts';
import { relationshipLimits } from '../../../actors/account/relationships/limits.ts';
import { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { id as entityId } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { idList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const FamiliarFollowersEntity = z
  .strictObject({ id: entityId, accounts: z.array(AccountEntity) })
  .meta({ id: 'FamiliarFollowers' });

export const getFamiliarFollowers = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/familiar_followers',
  authentication: 'user',
  scopes: ['read:follows'],
  parameters: z.object({ id: idList }),
  summary: 'Who of those that the user follows also follows these accounts.',
  answer: z.array(FamiliarFollowersEntity),
  async handler({ services, grant }, { id: given = [] }) {
    const accountIds = [...new Set(given)].slice(0, relationshipLimits.familiarAccountsMax);
    const shown = accountsFor(services, grant.accountId);
    const found = await services.slices.run(familiarFollowers(services.snapshots, grant.accountId, accountIds));
    return json(
      found.map(({ accountId, accounts }) => ({
        id: accountId.toString(),
        accounts: accounts.map((account) => shown(account)),
      })),
    );
  },
});

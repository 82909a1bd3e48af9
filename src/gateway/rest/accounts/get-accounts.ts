/** GET /api/v1/accounts: several accounts by id, unknown ones left out. */
import { z } from 'zod';
import { findPublicAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { profileLimits } from '../../../operations/profile/limits.ts';
import { AccountEntity } from '../../entities/account.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { json } from '../../http/answers.ts';
import { distinctIds, idList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const parameters = z.object({ id: idList });

export const getAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts',
  authentication: 'optional',
  parameters,
  summary: 'Returns several accounts by their ids.',
  answer: z.array(AccountEntity),
  handler({ services, grant }, { id: accountIds = [] }) {
    const accounts = distinctIds(accountIds, profileLimits.accountsPerRequestMax).flatMap(
      (accountId) => findPublicAccount(services.snapshots, accountId) ?? [],
    );
    const shown = accountsFor(services, grant?.accountId);
    return json(accounts.map((account) => shown(account)));
  },
});

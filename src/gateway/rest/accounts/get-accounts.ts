/** GET /api/v1/accounts: several accounts by id, unknown ones left out. */
import { z } from 'zod';
import { profileLimits } from '../../../operations/profile/limits.ts';
import { AccountEntity } from '../../entities/account.ts';
import { distinctIds, idList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';

const parameters = z.object({ id: idList });

export const getAccounts = endpoint({
  method: 'GET',
  path: '/api/v1/accounts',
  authentication: 'optional',
  parameters,
  summary: 'Returns several accounts by their ids.',
  answer: z.array(AccountEntity),
  handler({ services: { presenter, answers }, grant }, { id: accountIds = [] }) {
    const choose = presenter.publicAccounts(grant?.accountId);
    const ids = distinctIds(accountIds, profileLimits.accountsPerRequestMax);
    return jsonBytes(answers.accounts(ids.flatMap((accountId) => choose(accountId) ?? [])));
  },
});

/**
 * GET /api/v1/accounts/search (specification 4.2: `following` limits the results to followed accounts). An unknown
 * handle is looked up at its server where `resolve` is given, which is 503 where that does not answer; nothing is found
 * for blank words (behaviour of the Mastodon API).
 */
import { z } from 'zod';
import { textLimits } from '../../../actors/text/limits.ts';
import { searchForAccounts } from '../../../operations/accounts/search-accounts.ts';
import { AccountEntity } from '../../entities/account.ts';
import { json } from '../../http/answers.ts';
import { boolean, limit, offsetUpTo, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { lastingBytes } from '../status-answers.ts';

const parameters = z.object({
  q: textUpTo(textLimits.searchCharactersMax).transform((words = '') => words.trim()),
  limit: limit(40, 80),
  offset: offsetUpTo(10_000),
  resolve: boolean,
  following: boolean,
});

export const getAccountSearch = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/search',
  authentication: 'user',
  scopes: ['read:accounts'],
  parameters,
  summary: 'Searches accounts by the beginnings of their names, by handle or by address.',
  answer: z.array(AccountEntity),
  async handler(context, { q: words, limit, offset = 0, resolve = false, following: followedOnly = false }) {
    if (words === '') return json([]);
    const search = { words, resolve, followedOnly, offset, limit, forMentions: true };
    const accountIds = await searchForAccounts(context, search);
    const { presenter, answers } = context.services;
    const choose = presenter.allAccounts(context.grant.accountId);
    return lastingBytes(answers.accounts(accountIds.flatMap((id) => choose(id) ?? [])));
  },
});

/** GET /api/v1/directory: discoverable accounts (behaviour of the Mastodon API). */

import { z } from 'zod';
import { listedAccounts } from '../../../actors/account/profile/directory.queries.ts';
import { viewerOf } from '../../../actors/account/relationships/viewer.queries.ts';
import { AccountEntity } from '../../entities/account.ts';
import { boolean, choice, limit, offsetUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';

const parameters = z.object({
  order: choice(['active', 'new']),
  local: boolean,
  offset: offsetUpTo(10_000),
  limit: limit(40, 80),
});

export const getDirectory = endpoint({
  method: 'GET',
  path: '/api/v1/directory',
  authentication: 'optional',
  parameters,
  summary: 'Lists discoverable accounts, most active or newest first.',
  answer: z.array(AccountEntity),
  handler({ services, caller }, { order = 'active', local: localOnly = false, offset = 0, limit }) {
    const { snapshots, presenter, answers } = services;
    const viewer = viewerOf(snapshots, caller.accountId, services.now());
    const accounts = listedAccounts(snapshots, viewer, { order, localOnly, offset, limit });
    const choose = presenter.allAccounts(caller.accountId);
    return jsonBytes(answers.accounts(accounts.flatMap(({ profile }) => choose(profile.id) ?? [])));
  },
});

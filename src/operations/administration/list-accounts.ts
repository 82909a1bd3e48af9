/** Accounts of this server and of others, for staff: all that match what is given, newest first. */
import { z } from 'zod';
import { type AccountFilter, accountsPage } from '../../actors/account/account-lists.queries.ts';
import { roles } from '../../actors/account/profile/profile.records.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { accountOrigins, accountStandings } from '../../actors/policy/account-lists.ts';
import { parseRange } from '../../actors/policy/addresses.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { pageInput } from './domain-blocks.ts';

const beginning = z.string().optional();

const accountConditions = z.object({
  origin: z.enum(accountOrigins).optional(),
  standing: z.enum(accountStandings).optional(),
  /** One of these roles. */
  roles: z.array(z.enum(roles)).optional(),
  domain: z.string().optional(),
  username: beginning,
  displayName: beginning,
  email: beginning,
  /** An IP address, or a range of them. */
  ip: z.string().optional(),
});
export type AccountConditions = z.infer<typeof accountConditions>;

export const listAccounts = operation({
  input: pageInput.extend({ ...accountConditions.shape, maxId: z.coerce.bigint().optional() }),
  permission: 'manageUsers',
  audit: reads,
  run({ services }, { limit, maxId, sinceId, minId, ...conditions }): Page<AccountView> {
    const filter = filterOf(conditions);
    if (filter === undefined) return { items: [], newest: undefined, oldest: undefined, full: false };
    return accountsPage(services.snapshots, filter, { limit, maxId, sinceId, minId });
  },
});

/** Undefined where nothing can match. */
function filterOf({ ip, domain, username, ...given }: AccountConditions): AccountFilter | undefined {
  const range = ip === undefined ? undefined : parseRange(ip.trim());
  if (ip !== undefined && range === undefined) return undefined;
  return { ...given, range, domain: domain?.trim().toLowerCase(), username: username?.replace(/^@/, '') };
}

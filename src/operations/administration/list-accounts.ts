/** Accounts of this server and of others, for staff: all that match what is given, newest first. */
import { z } from 'zod';
import { type AccountFilter, accountsPage, type Unselective } from '../../actors/account/account-lists.queries.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import type { AccountView } from '../../actors/account/profile/profiles.queries.ts';
import { nameOfHandle } from '../../actors/directory/directory.messages.ts';
import { accountIdOfName } from '../../actors/directory/directory.queries.ts';
import type { Page } from '../../actors/pages.ts';
import { accountOrigins, accountStandings } from '../../actors/policy/account-lists.ts';
import { parseRange } from '../../actors/policy/addresses.ts';
import { roleNamed } from '../../actors/roles.queries.ts';
import { type Id, parseId } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { filledPage } from '../timelines/filled-page.ts';
import { pageInput } from './domain-blocks.ts';

const beginning = z.string().optional();

const accountConditions = z.object({
  origin: z.enum(accountOrigins).optional(),
  standing: z.enum(accountStandings).optional(),
  /** One of these roles, by their ids or names; an unknown one is nobody's. */
  roles: z.array(z.string()).optional(),
  domain: z.string().optional(),
  username: beginning,
  displayName: beginning,
  email: beginning,
  /** An IP address, or a range of them. */
  ip: z.string().optional(),
  /** By whom they were invited: the id or the user name of an account here. */
  invitedBy: z.string().optional(),
});
export type AccountConditions = z.infer<typeof accountConditions>;

export const listAccounts = operation({
  input: pageInput.extend({ ...accountConditions.shape, maxId: z.coerce.bigint().optional() }),
  permission: 'manageUsers',
  audit: reads,
  /** Not empty while there is something to show. */
  run({ services }, { limit, maxId, sinceId, minId, ...conditions }): Page<AccountView> | Promise<Page<AccountView>> {
    const filter = filterOf(services, conditions);
    if (filter === undefined) return { items: [], newest: undefined, oldest: undefined, full: false };
    const unselective: Unselective = new Set();
    return filledPage({ limit, maxId, sinceId, minId }, (bounds) =>
      accountsPage(services.snapshots, filter, bounds, unselective),
    );
  },
});

/** Undefined where nothing can match. */
function filterOf(
  { snapshots }: Pick<Services, 'snapshots'>,
  conditions: AccountConditions,
): AccountFilter | undefined {
  const { ip, domain, username, roles: named, invitedBy: inviter, ...given } = conditions;
  const range = ip === undefined ? undefined : parseRange(ip.trim());
  if (ip !== undefined && range === undefined) return undefined;
  const invitedBy = inviter === undefined ? undefined : idOfLocal(snapshots, inviter);
  if (inviter !== undefined && invitedBy === undefined) return undefined;
  const roles = named?.flatMap((one) => roleNamed(snapshots, one) ?? []);
  return {
    ...given,
    roles,
    range,
    invitedBy,
    domain: domain?.trim().toLowerCase(),
    username: username?.replace(/^@/, ''),
  };
}

/** Undefined for a name that nobody has here. A name of digits is taken for an id where there is such an account. */
function idOfLocal(snapshots: Services['snapshots'], given: string): Id | undefined {
  const id = parseId(given.trim());
  if (id !== undefined && findLogin(snapshots, id) !== undefined) return id;
  return accountIdOfName(snapshots, nameOfHandle(given.trim().replace(/^@/, ''), undefined));
}

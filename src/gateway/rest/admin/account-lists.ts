/** The lists of accounts for staff, as both versions of the Mastodon API ask for them. */
import { z } from 'zod';
import { accountOrigins, accountStandings } from '../../../actors/policy/account-lists.ts';
import { allRoles } from '../../../actors/roles.queries.ts';
import { type AccountConditions, listAccounts } from '../../../operations/administration/list-accounts.ts';
import { roleHolds } from '../../../operations/permissions.ts';
import { AdminAccountEntity, adminAccountEntities } from '../../entities/admin/accounts.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { UserContext } from '../../http/context.ts';
import { choice, text, wordList } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { staffEndpoint, staffPageAnswer, staffPageParameters } from './staff-endpoint.ts';

/** It counts as set where anything is given (behaviour of the Mastodon API). */
const set = text.transform((given) => given !== undefined && given !== '');
/** An empty one asks for nothing. */
const given = text.transform((one) => (one === '' ? undefined : one));

const names = { username: given, by_domain: given, display_name: given, email: given, ip: given };

interface Named {
  readonly username?: string | undefined;
  readonly by_domain?: string | undefined;
  readonly display_name?: string | undefined;
  readonly email?: string | undefined;
  readonly ip?: string | undefined;
}

function conditionsOf({ username, by_domain: domain, display_name: displayName, email, ip }: Named): AccountConditions {
  return { username, domain, displayName, email, ip };
}

type Bounds = Parameters<typeof boundsOf>[0] & { readonly limit: number };

function answerPage(context: UserContext<GatewayServices>, conditions: AccountConditions, asked: Bounds) {
  const { services, request } = context;
  const entityOf = adminAccountEntities(services);
  return answerFilledPage(
    boundsOf(asked),
    (bounds) => listAccounts(context, { ...conditions, ...bounds }),
    (page) => staffPageAnswer(request, page, asked.limit, entityOf),
  );
}

const declared = {
  method: 'GET',
  scopes: ['admin:read:accounts'],
  answer: z.array(AdminAccountEntity),
} as const;

const listed = { active: set, pending: set, disabled: set, silenced: set, suspended: set, sensitized: set };
type Listed = Record<keyof typeof listed, boolean>;

/** The last of those that are set; `active` where none is. */
function standingOf(asked: Listed): keyof Listed {
  return (Object.keys(listed) as (keyof Listed)[]).findLast((standing) => asked[standing]) ?? 'active';
}

/** Those that work on reports. */
function staffRoles({ services }: UserContext<GatewayServices>): string[] {
  const roles = allRoles(services.snapshots).filter((role) => roleHolds(role, 'manageReports'));
  return roles.map(({ id }) => id);
}

const getAccounts = staffEndpoint(listAccounts, {
  ...declared,
  path: '/api/v1/admin/accounts',
  parameters: z.object({ ...staffPageParameters, ...names, ...listed, local: set, remote: set, staff: set }),
  summary: 'Lists accounts, latest first: active ones of this server, unless others are asked for.',
  handler(context, asked) {
    const conditions: AccountConditions = {
      ...conditionsOf(asked),
      origin: asked.remote ? 'remote' : 'local',
      standing: standingOf(asked),
      roles: asked.staff ? staffRoles(context) : undefined,
    };
    return answerPage(context, conditions, asked);
  },
});

const getAccountsOfV2 = staffEndpoint(listAccounts, {
  ...declared,
  path: '/api/v2/admin/accounts',
  parameters: z.object({
    ...staffPageParameters,
    ...names,
    origin: choice(accountOrigins),
    status: choice(accountStandings),
    permissions: choice(['staff']),
    role_ids: wordList,
    invited_by: given,
  }),
  summary: 'Lists accounts of this server and of others, latest first.',
  handler(context, asked) {
    const { origin, status: standing, permissions, role_ids: roleIds, invited_by: invitedBy } = asked;
    const roles = permissions === 'staff' ? staffRoles(context) : roleIds;
    return answerPage(context, { ...conditionsOf(asked), origin, standing, roles, invitedBy }, asked);
  },
});

export const adminAccountListEndpoints = [getAccounts, getAccountsOfV2];

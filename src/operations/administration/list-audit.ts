/** Lists the audit log, newest first: everything, or what somebody did, a kind of action, what was done to something. */
import { z } from 'zod';
import type { Profile } from '../../actors/account/profile/profile.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { auditPage, type StoredAuditEntry } from '../../actors/audit.queries.ts';
import { AuditAction, auditActors, auditTargets } from '../../actors/audit.records.ts';
import type { Page } from '../../actors/pages.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';
import { accountName, namedAccount } from './local-account.ts';

export const auditEntriesListedMax = 200;

export interface ListedAuditEntry {
  readonly entry: StoredAuditEntry;
  /** Who acted; undefined for the command line, the server, and an account that is gone. */
  readonly actor: Profile | undefined;
}

const entryId = z.coerce.bigint().optional();

export const listAudit = operation({
  /** Entries match all that is given. */
  input: z.object({
    by: z.enum(auditActors).optional(),
    /** The account that acted. */
    actor: accountName.optional(),
    action: AuditAction.optional(),
    target: z.enum(auditTargets).optional(),
    targetId: z.string().optional(),
    /** The account that something was done to: a target by its name. */
    about: accountName.optional(),
    limit: z.int().min(1).max(auditEntriesListedMax),
    maxId: entryId,
    sinceId: entryId,
    minId: entryId,
  }),
  permission: 'viewAuditLog',
  audit: reads,
  /** Throws Failure notFound for names that no account here has. */
  run({ services }, { actor, about, limit, maxId, sinceId, minId, ...given }): Page<ListedAuditEntry> {
    const { snapshots } = services;
    const accountId = idOf(services, actor);
    const aboutId = idOf(services, about);
    const target = aboutId === undefined ? {} : ({ target: 'account', targetId: String(aboutId) } as const);
    const who = accountId === undefined ? {} : ({ by: 'account', accountId } as const);
    const page = auditPage(snapshots, { ...given, ...who, ...target }, { limit, maxId, sinceId, minId });
    const actorOf = ({ accountId: actorId }: StoredAuditEntry) =>
      actorId === undefined ? undefined : findProfile(snapshots, actorId);
    return { ...page, items: page.items.map((entry) => ({ entry, actor: actorOf(entry) })) };
  },
});

function idOf(services: Services, account: Id | string | undefined): Id | undefined {
  return typeof account === 'string' ? namedAccount(services, account).id : account;
}

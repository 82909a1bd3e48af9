/** The Admin::DomainPreview and Admin::DomainImport entities, our own. */
import { z } from 'zod';
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { DomainImport, DomainPreview, SeveredPreview } from '../../../operations/administration/domain-lists.ts';
import type { Services } from '../../../services/services.ts';
import { AccountEntity, accountEntity } from '../account.ts';
import { count, flag, text } from '../values.ts';

const severed = { accounts_count: count, followers_count: count, following_count: count };

const preview = {
  ...severed,
  /** Accounts here that would lose follows. */
  affected_accounts_count: count,
  /** Those that would lose most. */
  affected_accounts: z.array(
    z.strictObject({ account: AccountEntity, followers_count: count, following_count: count }),
  ),
  /** False where the counts are lower bounds. */
  complete: flag,
};

export const AdminDomainPreviewEntity = z
  .strictObject({ domain: text, ...preview })
  .meta({ id: 'Admin.DomainPreview' });

export const AdminFederationPreviewEntity = z.strictObject(preview).meta({ id: 'Admin.FederationPreview' });

type Reading = Pick<Services, 'snapshots' | 'addresses'>;

export function adminDomainPreviewEntity(
  found: DomainPreview,
  services: Reading,
): z.output<typeof AdminDomainPreviewEntity> {
  return { domain: found.domain, ...adminFederationPreviewEntity(found, services) };
}

export function adminFederationPreviewEntity(
  found: SeveredPreview,
  { snapshots, addresses }: Reading,
): z.output<typeof AdminFederationPreviewEntity> {
  return {
    accounts_count: found.accounts,
    followers_count: found.followers,
    following_count: found.following,
    affected_accounts_count: found.affectedCount,
    affected_accounts: found.affected.flatMap(({ accountId, followers, following }) => {
      const view = findAccount(snapshots, accountId);
      if (view === undefined) return [];
      return { account: accountEntity(view, addresses), followers_count: followers, following_count: following };
    }),
    complete: found.isWhole,
  };
}

const outcomes = ['imported', 'known', 'invalid'] as const;

export const AdminDomainImportEntity = z
  .strictObject({
    dry_run: flag,
    imported_count: count,
    rows: z.array(
      z.strictObject({
        line: count,
        domain: text,
        outcome: z.enum(outcomes),
        /** Null where nobody of it is known. */
        severed: z.strictObject(severed).nullable(),
      }),
    ),
  })
  .meta({ id: 'Admin.DomainImport' });

export function adminDomainImportEntity({ rows, isDryRun }: DomainImport): z.output<typeof AdminDomainImportEntity> {
  return {
    dry_run: isDryRun,
    imported_count: rows.filter(({ outcome }) => outcome === 'imported').length,
    rows: rows.map(({ line, domain, outcome, severed: lost }) => ({
      line,
      domain,
      outcome,
      severed:
        lost === undefined
          ? null
          : { accounts_count: lost.accounts, followers_count: lost.followers, following_count: lost.following },
    })),
  };
}

/**
 * Decisions of staff about an account, one operation each, with its own permission and its own name in the audit log. Each
 * is a strike that the account sees (behaviour of the Mastodon API), and closes the reports that led to it.
 */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { warningsOf } from '../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../actors/account/notifications/limits.ts';
import type { Warning, WarningAction } from '../../actors/account/notifications/notifications.records.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { AuditAction } from '../../actors/audit.records.ts';
import { cleanText } from '../../actors/text/characters.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import type { Audited } from '../audit.ts';
import { flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import type { StaffPermission } from '../permissions.ts';
import { closeReports, openReportFor } from '../reports/close-reports.ts';
import { accountName, type KnownAccount, sanctionable } from './local-account.ts';
import { presetOf } from './warning-presets.ts';

const { warningCharactersMax } = notificationLimits;

/** What the account is told of a sanction. */
export const told = {
  text: z.string().optional(),
  /** Whether it is notified and gets a mail; it is by default. */
  tells: z.boolean().optional(),
  /** A text that staff keep ready, and which comes before the given one. */
  presetId: identifier.optional(),
};

const input = z.object({
  account: accountName,
  ...told,
  /** The report that led to it: it is closed, and so are all others about the account where something is done. */
  reportId: identifier.optional(),
});

interface Sanction {
  readonly permission: StaffPermission;
  readonly audit: AuditAction;
  readonly action: WarningAction;
  readonly isForRemote: boolean;
  /** Throws Failure where the account is in no state for it. */
  check?(account: KnownAccount): void;
}

/**
 * Throws Failure notFound for an unknown account and for a report about another one, forbidden for an account with the same
 * role or a higher one, and validation for what the account is already, and for a report that somebody else has closed:
 * the text says who.
 */
export function sanction({ permission, audit: name, action, isForRemote, check }: Sanction) {
  return operation({
    input,
    permission,
    audit: name,
    on: sanctionable,
    async run(context, given, account): Promise<void> {
      if (account.login === undefined && !isForRemote)
        throw validationFailure('This can only be done to an account of this server.');
      const text = textOf(context.services, given);
      check?.(account);
      await strike(context, account, { ...given, text, action });
    },
  });
}

interface Said {
  readonly text?: string | undefined;
  readonly presetId?: Id | undefined;
}

/** Throws Failure notFound for a text that is not kept, and validation. */
export function textOf(services: Pick<Services, 'snapshots'>, { text: given = '', presetId }: Said): string {
  const kept = presetId === undefined ? '' : presetOf(services, presetId).text;
  const text = [kept, cleanText(given)].filter((part) => part !== '').join('\n\n');
  if (text.length > warningCharactersMax)
    throw validationFailure(`A warning has at most ${warningCharactersMax} characters.`);
  return text;
}

interface Strike extends Pick<Warning, 'action' | 'text' | 'statusIds'> {
  readonly reportId?: Id | undefined;
  readonly tells?: boolean | undefined;
}

export async function strike(
  { caller, services, audit }: OperationContext & Audited,
  account: KnownAccount,
  { action, text, statusIds, reportId, tells = true }: Strike,
): Promise<void> {
  const { id } = account;
  if (reportId !== undefined) openReportFor(services, reportId, id, caller.accountId);
  const led = reportId === undefined ? {} : { reportId };
  const by = caller.accountId === undefined ? {} : { byId: caller.accountId };
  const posts = statusIds === undefined ? {} : { statusIds };
  const said = { action, text, ...posts, ...led, ...by };
  const message = Account.sanction.to(id, { ...said, tells, audit: { ...audit, ...led } });
  const { strikeId } = await services.client.call(message, flowOf(caller)).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'conflict' && error.reason === undefined)
      throw decidedAlready(services, account, action);
    throw error;
  });
  // Others may be about something else, where it is not the account that something was done to.
  const closed = states[action] === undefined ? { reportId: reportId ?? null } : {};
  await closeReports({ caller, services, audit }, { targetId: id, strikeId, ...closed });
}

const states: Readonly<Partial<Record<WarningAction, string>>> = {
  disable: 'disabled',
  sensitive: 'marked as sensitive',
  silence: 'limited',
  suspend: 'suspended',
};

function decidedAlready({ snapshots }: Services, { id, profile }: KnownAccount, action: WarningAction): Failure {
  const strikes = warningsOf(snapshots, id, { limit: notificationLimits.warningsKeptMax }).items;
  const last = strikes.find((one) => one.action === action);
  const state = `The account ${profile.username} is ${states[action]} already`;
  if (last === undefined) return validationFailure(`${state}.`);
  const by = last.byId === undefined ? undefined : findProfile(snapshots, last.byId)?.username;
  const who = by === undefined ? '' : ` by ${by}`;
  return validationFailure(`${state}${who}, since ${new Date(last.createdAt).toISOString()}.`);
}

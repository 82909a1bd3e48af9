/**
 * Where a status may be shown, and what that place hides beside what the viewer may not see at all (behaviour of the
 * Mastodon API). The one decision about showing a status.
 */
import type { FilterContext } from '../../actors/account/filters/filters.records.ts';
import { type AddressedStatus, maySee, type Viewer } from '../../actors/policy/visibility.ts';

interface ContextRules {
  /** Statuses of accounts that the viewer mutes, and reblogs of theirs. */
  readonly mutedAccounts: 'hidden' | 'shown';
  /** Statuses of accounts of domains that the viewer hides. */
  readonly hiddenDomains: 'hidden' | 'shown';
  /** Statuses of accounts that the staff has limited. */
  readonly limitedAccounts: 'for followers' | 'shown';
  /** Where irreversible filters of the viewer drop what they match (specification 2.5), by the context of the filter. */
  readonly dropsFiltered?: FilterContext;
  /** `unchecked`: also what the viewer may not see. */
  readonly visibility?: 'unchecked';
}

const everything: ContextRules = { mutedAccounts: 'shown', hiddenDomains: 'shown', limitedAccounts: 'shown' };
const unmuted: ContextRules = { mutedAccounts: 'hidden', hiddenDomains: 'hidden', limitedAccounts: 'shown' };

export const contexts = {
  home: { ...unmuted, dropsFiltered: 'home' },
  public: { ...unmuted, limitedAccounts: 'for followers' },
  tag: { ...unmuted, limitedAccounts: 'for followers' },
  account: everything,
  thread: { mutedAccounts: 'shown', hiddenDomains: 'hidden', limitedAccounts: 'for followers' },
  notification: { ...everything, dropsFiltered: 'notifications' },
  single: everything,
  /** Inside a status that quotes it; what the viewer hides is told apart (quotes.ts). */
  quoted: everything,
  /** The answer to whoever took a favourite or a reblog back, also of what is no longer shown to them. */
  takenBack: { ...everything, visibility: 'unchecked' },
  /** A live event of a home; who gets it was decided by where the status stands. */
  stream: { ...unmuted, dropsFiltered: 'home' },
  /** The same of a public channel. */
  publicStream: unmuted,
} satisfies Readonly<Record<string, ContextRules>>;

export type PresentationContext = keyof typeof contexts;

/** Of the irreversible filters, those that drop statuses there have this context; undefined where none does. */
export function droppingContextOf(context: PresentationContext): FilterContext | undefined {
  const rules: ContextRules = contexts[context];
  return rules.dropsFiltered;
}

export interface ShownAuthor {
  /** Nothing of a suspended account is shown. */
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  /** Undefined for a local account. */
  readonly domain: string | undefined;
}

/** Whether the viewer is shown the status there. Of a reblog, the original is asked about as well, by itself. */
export function isShown(
  status: AddressedStatus,
  author: ShownAuthor,
  viewer: Viewer,
  context: PresentationContext,
): boolean {
  const rules: ContextRules = contexts[context];
  if (author.isSuspended || !(rules.visibility === 'unchecked' || maySee(status, viewer))) return false;
  const { accountId } = status;
  if (rules.mutedAccounts === 'hidden' && viewer.mutes(accountId)) return false;
  if (rules.hiddenDomains === 'hidden' && author.domain !== undefined && viewer.hidesDomain(author.domain))
    return false;
  if (!author.isLimited || rules.limitedAccounts === 'shown') return true;
  return accountId === viewer.accountId || viewer.follows(accountId);
}

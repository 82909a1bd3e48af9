/**
 * Where a status may be shown, and what is hidden there besides what the viewer may not see at all (behaviour of the
 * Mastodon API). Decides whether a status is shown, for the whole program.
 */
import type { FilterContext } from '../../actors/account/filters/filters.records.ts';
import { type AddressedStatus, hidesNaming, maySee, type Viewer } from '../../actors/policy/visibility.ts';
import type { Id } from '../../runtime/ids.ts';

interface ContextRules {
  /** Statuses of accounts that the viewer mutes, and their reblogs. */
  readonly mutedAccounts: 'hidden' | 'shown';
  /** Statuses of accounts on domains that the viewer hides. */
  readonly hiddenDomains: 'hidden' | 'shown';
  /** Statuses of accounts that staff have limited. */
  readonly limitedAccounts: 'for followers' | 'shown';
  /** Statuses of others that mention an account which the viewer blocks or mutes; shown where absent. */
  readonly mentionsOfHidden?: 'hidden';
  /** Where irreversible filters drop matching statuses (specification 2.5): the context of these filters. */
  readonly dropsFiltered?: FilterContext;
  /** `unchecked`: even statuses that the viewer may not see. */
  readonly visibility?: 'unchecked';
  /** `each time`: remembering the decisions about thousands of statuses would cost more than deciding again. */
  readonly decided?: 'each time';
}

const everything: ContextRules = { mutedAccounts: 'shown', hiddenDomains: 'shown', limitedAccounts: 'shown' };
const thread: ContextRules = { mutedAccounts: 'hidden', hiddenDomains: 'hidden', limitedAccounts: 'for followers' };
const unmuted: ContextRules = { mutedAccounts: 'hidden', hiddenDomains: 'hidden', limitedAccounts: 'shown' };

export const contexts = {
  home: { ...unmuted, mentionsOfHidden: 'hidden', dropsFiltered: 'home' },
  public: { ...unmuted, limitedAccounts: 'for followers' },
  tag: { ...unmuted, limitedAccounts: 'for followers' },
  account: everything,
  /** What somebody else has reblogged, on the profile of that account. */
  profileReblog: unmuted,
  thread,
  longThread: { ...thread, decided: 'each time' },
  /** Around a status of a muted account, which the viewer has opened in spite of the mute. */
  mutedThread: { ...thread, mutedAccounts: 'shown', decided: 'each time' },
  notification: { ...everything, dropsFiltered: 'notifications' },
  single: everything,
  /** Found by its text. */
  search: { ...unmuted, limitedAccounts: 'for followers' },
  /** Among what trends, which no limited account does. */
  trend: unmuted,
  /** Inside a quoting status; what the viewer hides there is decided in quotes.ts. */
  quoted: everything,
  /** The answer after removing a favourite or reblog, even of a status that the caller may no longer see. */
  takenBack: { ...everything, visibility: 'unchecked' },
  /** What somebody has reported, for staff. */
  report: { ...everything, visibility: 'unchecked' },
  /** A live event of a home; its recipients were decided by home timelines. */
  stream: { ...unmuted, mentionsOfHidden: 'hidden', dropsFiltered: 'home' },
  /** The same for a public channel. */
  publicStream: unmuted,
} satisfies Readonly<Record<string, ContextRules>>;

export type PresentationContext = keyof typeof contexts;
export type ThreadContext = Extract<PresentationContext, 'thread' | 'longThread' | 'mutedThread'>;

/** Where the original of a reblog is shown; `isOwn`: the viewer has made the reblog. */
export function contextOfOriginal(context: PresentationContext, isOwn: boolean): PresentationContext {
  return context === 'account' && !isOwn ? 'profileReblog' : context;
}

/** Where the thread around a status of this author is shown; `isLong`: to too many statuses to remember each. */
export function contextOfThread(authorId: Id, viewer: Pick<Viewer, 'mutes'>, isLong = false): ThreadContext {
  if (viewer.mutes(authorId)) return 'mutedThread';
  return isLong ? 'longThread' : 'thread';
}

/** The context of irreversible filters that drop statuses there; undefined where none do. */
export function droppingContextOf(context: PresentationContext): FilterContext | undefined {
  const rules: ContextRules = contexts[context];
  return rules.dropsFiltered;
}

export function remembersDecisions(context: PresentationContext): boolean {
  const rules: ContextRules = contexts[context];
  return rules.decided !== 'each time';
}

export interface ShownAuthor {
  /** Nothing of a suspended account is shown. */
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  /** Undefined for a local account. */
  readonly domain: string | undefined;
}

/** Whether the status is shown to the viewer there. For a reblog, its original is checked separately too. */
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
  if (rules.mentionsOfHidden === 'hidden' && mentionsHidden(status, viewer)) return false;
  if (!author.isLimited || rules.limitedAccounts === 'shown') return true;
  return accountId === viewer.accountId || viewer.follows(accountId);
}

function mentionsHidden({ accountId, mentions }: AddressedStatus, viewer: Viewer): boolean {
  if (mentions.length === 0 || accountId === viewer.accountId) return false;
  return mentions.some(({ id }) => hidesNaming(viewer, id));
}

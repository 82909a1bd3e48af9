/** What becomes of what subscribed lists say of domains. Pure. */
import { type DomainRule, type DomainSeverity, isStricter, milderOf, ranks } from './domains.ts';

/**
 * `csv`: that of Mastodon's exports. `plain`: a domain in each line, which is suspended. `json`: what servers publish at
 * /api/v1/instance/domain_blocks, and lists in GoToSocial's form.
 */
export const listForms = ['csv', 'plain', 'json'] as const;
export type ListForm = (typeof listForms)[number];

/** `suggest`: staff decide about each rule. `apply`: the server follows the list. */
export const listModes = ['suggest', 'apply'] as const;
export type ListMode = (typeof listModes)[number];

export interface ListedContent extends DomainRule {
  readonly obfuscate: boolean;
  readonly publicComment?: string | undefined;
}

/** How far staff trust a list. */
export interface ListTerms {
  readonly mode: ListMode;
  /** What the list asks for beyond it is made milder. */
  readonly severityMax: DomainSeverity;
  /** Whether a rule ends when the list no longer has it. */
  readonly followsRetractions: boolean;
  /** Obfuscates all of its domains in the public list, instead of those that it says. */
  readonly obfuscates: boolean;
  /** Whether its comments become the public comments of rules. */
  readonly takesComments: boolean;
  /** A suspension that ends more follows of accounts here, in either direction, is left to staff. */
  readonly followsMax: number;
}

/**
 * `settled`: what it asks for is in force, or not to be asked about. `suggested`: staff are to decide. `refused`: they
 * decided against it; it is not asked about again until the list says something else. `staff`: a rule of staff for the
 * domain or one above it counts instead. `allowed`: staff have allowed the server. `covered`: the rule for a domain above
 * it is as strict.
 */
export const listedStates = ['settled', 'suggested', 'refused', 'staff', 'allowed', 'covered'] as const;
export type ListedState = (typeof listedStates)[number];

export interface ListedEntry {
  /** What the list says of it, or said last. */
  readonly listed: ListedContent;
  /** The list does not name it any more. */
  readonly isGone?: boolean | undefined;
  /** What this list has brought about, under its terms of then. */
  readonly inForce?: ListedContent | undefined;
  readonly state: ListedState;
  /** Follows of accounts here that its suspension would end, where that was counted. */
  readonly follows?: number | undefined;
}

export interface ListedCase {
  readonly listed: ListedContent;
  readonly isGone: boolean;
  readonly entry: ListedEntry | undefined;
  readonly terms: ListTerms;
  readonly isAllowed: boolean;
  readonly isOfStaff: boolean;
  /** The rule that lists have made for a domain above it. */
  readonly above: DomainRule | undefined;
  /** What other lists have brought about for the domain. */
  readonly others: readonly ListedContent[];
  readonly follows: number;
  /** Whether the server has room for another rule. */
  readonly hasRoom: boolean;
}

type Decision = Pick<ListedEntry, 'state' | 'inForce'>;

/** What a list asks for under the terms of its subscription. */
export function termedContent(listed: ListedContent, terms: ListTerms): ListedContent {
  const { publicComment, ...rule } = listed;
  return {
    ...rule,
    severity: milderOf(listed.severity, terms.severityMax),
    obfuscate: listed.obfuscate || terms.obfuscates,
    ...(terms.takesComments && publicComment !== undefined && { publicComment }),
  };
}

/** Undefined where nothing is left to be known of the domain. */
export function decidedEntry(given: ListedCase): Decision | undefined {
  const { listed, isGone, entry, terms, others } = given;
  const isRefused = entry?.state === 'refused';
  if (given.isAllowed || given.isOfStaff) return isGone && !isRefused ? undefined : keptOut(given);
  const inForce = entry?.inForce;
  if (isGone) return inForce === undefined && !isRefused ? undefined : decidedRetraction(given);
  const wanted = termedContent(listed, terms);
  if (given.above !== undefined && !isStricter(wanted, given.above)) return { state: 'covered' };
  if (inForce !== undefined && isSameContent(wanted, inForce)) return { state: 'settled', inForce };
  if (isRefused && isSameContent(entry.listed, listed)) return { state: 'refused', inForce };
  if (!changesRule(others, inForce, wanted)) return { state: 'settled', inForce: wanted };
  const isForStaff = wanted.severity === 'suspend' && given.follows > terms.followsMax;
  if (terms.mode === 'apply' && given.hasRoom && !isForStaff) return { state: 'settled', inForce: wanted };
  return { state: 'suggested', inForce };
}

function keptOut({ isAllowed, entry }: ListedCase): Decision {
  if (entry?.state === 'refused') return { state: 'refused' };
  return { state: isAllowed ? 'allowed' : 'staff' };
}

function decidedRetraction({ entry, terms, others }: ListedCase): Decision | undefined {
  const { inForce, state, isGone } = entry!;
  if (inForce === undefined || (state === 'refused' && isGone === true)) return { state: 'refused', inForce };
  if (!terms.followsRetractions) return { state: 'settled', inForce };
  if (terms.mode === 'apply' || !changesRule(others, inForce, undefined)) return undefined;
  return { state: 'suggested', inForce };
}

/** Whether other servers would be treated otherwise. */
function changesRule(
  others: readonly ListedContent[],
  before: ListedContent | undefined,
  after: ListedContent | undefined,
): boolean {
  const now = mergedContent(before === undefined ? others : [...others, before]);
  const then = mergedContent(after === undefined ? others : [...others, after]);
  return (
    now?.severity !== then?.severity ||
    now?.rejectMedia !== then?.rejectMedia ||
    now?.rejectReports !== then?.rejectReports
  );
}

/** The rule that several lists make together: the strictest of everything, and the first comment. */
export function mergedContent(contents: readonly ListedContent[]): ListedContent | undefined {
  if (contents.length === 0) return undefined;
  const publicComment = contents.find((content) => content.publicComment !== undefined)?.publicComment;
  const severities = contents.map(({ severity }) => severity);
  return {
    severity: severities.reduce((one, other) => (ranks[other] > ranks[one] ? other : one)),
    rejectMedia: contents.some(({ rejectMedia }) => rejectMedia),
    rejectReports: contents.some(({ rejectReports }) => rejectReports),
    obfuscate: contents.some(({ obfuscate }) => obfuscate),
    ...(publicComment !== undefined && { publicComment }),
  };
}

export function isSameContent(one: ListedContent, other: ListedContent): boolean {
  return (
    one.severity === other.severity &&
    one.rejectMedia === other.rejectMedia &&
    one.rejectReports === other.rejectReports &&
    one.obfuscate === other.obfuscate &&
    one.publicComment === other.publicComment
  );
}

export function isSameEntry(one: ListedEntry | undefined, other: ListedEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const isSameForce =
    one.inForce === undefined || other.inForce === undefined
      ? one.inForce === other.inForce
      : isSameContent(one.inForce, other.inForce);
  return (
    isSameForce &&
    isSameContent(one.listed, other.listed) &&
    (one.isGone ?? false) === (other.isGone ?? false) &&
    one.state === other.state &&
    one.follows === other.follows
  );
}

/** Translates the interaction policies of remote actors: who may quote a status or feature an account. */
import type { Approval, Approver } from '../../actors/account/account.records.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import type { RemoteApproval } from '../documents/read-quote.ts';
import { isPublicAudience } from '../documents/vocabulary.ts';

/** The owner of a policy. */
interface Owner {
  readonly uri: string;
  /** Undefined where the actor names no followers collection. */
  readonly followers: string | undefined;
  readonly following?: string | undefined;
}

/** Undefined where the policy allows nobody but the owner. */
export function approvalOf(approval: RemoteApproval | undefined, owner: Owner): Approval | undefined {
  const named = explicitApproval(approval, owner);
  return named === undefined || named.automatic.length + named.manual.length === 0 ? undefined : named;
}

/** The same, except that an explicit "nobody" is kept: it differs from no policy. */
export function explicitApproval(approval: RemoteApproval | undefined, owner: Owner): Approval | undefined {
  if (approval === undefined) return undefined;
  return { automatic: approversOf(approval.automatic, owner), manual: approversOf(approval.manual, owner) };
}

/**
 * Who may reply to a note. Undefined for everybody; those whom it mentions always may, and are left out as its author is
 * (actors/policy/replies.ts).
 */
export function replyApprovalOf(
  { replyApproval, mentions }: Pick<RemoteNote, 'replyApproval' | 'mentions'>,
  author: Owner,
): Approval | undefined {
  if (replyApproval === undefined) return undefined;
  const mentioned = new Set(mentions.map(({ href }) => href));
  const unnamed = (names: readonly string[]) => names.filter((name) => !mentioned.has(name));
  const { automatic, manual, isOld } = replyApproval;
  // Nothing at all is no policy: nobody else is said by naming the author.
  if (automatic.length + manual.length === 0) return undefined;
  const approval = explicitApproval({ automatic: unnamed(automatic), manual: unnamed(manual) }, author);
  if (approval?.automatic.includes('public') === true) return undefined;
  return approval && { ...approval, ...(isOld && { byCreate: true }) };
}

/** The owner is left out, and so are other single accounts, which the API cannot express. */
function approversOf(names: readonly string[], owner: Owner): Approver[] {
  const approvers = names.filter((name) => name !== owner.uri).map((name) => approverOf(name, owner));
  return [...new Set(approvers)];
}

function approverOf(name: string, { uri, followers, following }: Owner): Approver {
  if (isPublicAudience(name)) return 'public';
  if (name === (followers ?? `${uri}/followers`)) return 'followers';
  return name === (following ?? `${uri}/following`) ? 'following' : 'unsupported_policy';
}

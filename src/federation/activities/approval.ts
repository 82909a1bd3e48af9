/** What an actor of another server lets others do, by the names that its interaction policy writes. */
import type { Approval, Approver } from '../../actors/account/account.records.ts';
import type { RemoteApproval } from '../documents/read-quote.ts';
import { isPublicAudience } from '../documents/vocabulary.ts';

/** Whose policy it is. */
interface Owner {
  readonly uri: string;
  /** Undefined where its actor names no collections. */
  readonly followers: string | undefined;
  readonly following?: string | undefined;
}

/** Undefined where nothing is said that anybody but the owner could use. */
export function approvalOf(approval: RemoteApproval | undefined, owner: Owner): Approval | undefined {
  const named = saidApproval(approval, owner);
  return named === undefined || named.automatic.length + named.manual.length === 0 ? undefined : named;
}

/** The same where an explicit nobody differs from silence. */
export function saidApproval(approval: RemoteApproval | undefined, owner: Owner): Approval | undefined {
  if (approval === undefined) return undefined;
  return { automatic: approversOf(approval.automatic, owner), manual: approversOf(approval.manual, owner) };
}

/** The owner alone is nobody; single accounts cannot be said to clients. */
function approversOf(names: readonly string[], owner: Owner): Approver[] {
  const approvers = names.filter((name) => name !== owner.uri).map((name) => approverOf(name, owner));
  return [...new Set(approvers)];
}

function approverOf(name: string, { uri, followers, following }: Owner): Approver {
  if (isPublicAudience(name)) return 'public';
  if (name === (followers ?? `${uri}/followers`)) return 'followers';
  return name === (following ?? `${uri}/following`) ? 'following' : 'unsupported_policy';
}

/** Who may interact with a local status, as GoToSocial writes it. */
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import { authorsOnly } from '../../actors/policy/quotes.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { Id } from '../../runtime/ids.ts';
import { approverAddresses } from './approvers.ts';
import type { Writing } from './note-part.ts';

/** Without `canReply` everybody may reply who may read the status. */
export function interactionPolicy(status: Status, writing: Writing): JsonObject {
  const { addresses, username } = writing;
  const { automatic } = status.quoteApproval ?? authorsOnly;
  const canQuote = { automaticApproval: approverAddresses(addresses, automatic, username) };
  return status.replyApproval === undefined ? { canQuote } : { canQuote, canReply: canReply(status, writing) };
}

/** Those who always may are named, as GoToSocial does: other servers need not know that rule. */
function canReply({ replyApproval, mentions, inReplyToAccountId }: Status, writing: Writing): JsonObject {
  const { addresses, username } = writing;
  const namedIds = new Set(mentions.map(({ id }) => id));
  if (inReplyToAccountId !== undefined) namedIds.add(inReplyToAccountId);
  const named = [...namedIds].flatMap((id) => addressOfAccount(writing, id) ?? []);
  const { automatic, manual } = replyApproval!;
  const approved = approverAddresses(addresses, automatic, username);
  const automaticApproval = [...new Set([addresses.actor(username), ...approved, ...named])];
  if (manual.length === 0) return { automaticApproval };
  return { automaticApproval, manualApproval: approverAddresses(addresses, manual, username) };
}

function addressOfAccount({ reader, addresses }: Writing, accountId: Id): string | undefined {
  const profile = findProfile(reader, accountId);
  return profile && (profile.remote?.uri ?? addresses.actor(profile.username));
}

/**
 * Checks whether a reply of another server still has the consent of the author whom it answers: the author may take it back
 * without a Delete that reaches this server. Done when the reply itself is read again.
 */
import { Account } from '../../actors/account/account.messages.ts';
import type { Status } from '../../actors/account/statuses/statuses.records.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { traced } from '../../runtime/flow.ts';
import { flowOfHost } from '../../services/services.ts';
import type { Inbound } from '../activities/inbound.ts';
import { readReplyAuthorization } from '../documents/read-reply-consent.ts';
import { ignoreFailure } from '../failures.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import type { SignerOf } from './fetch-signers.ts';

export interface ReplyVerification {
  readonly inbound: Pick<Inbound, 'client'>;
  readonly fetcher: Fetcher;
  readonly signer: SignerOf;
  readonly cause?: string | undefined;
}

/** A server without a valid response decides nothing: the reply stays where it is. */
export async function verifyReply(
  { inbound, fetcher, signer, cause }: ReplyVerification,
  { uri, inReplyToId, inReplyToAccountId, replyAuthorization: url }: Status,
): Promise<void> {
  if (url === undefined || uri === undefined || inReplyToId === undefined || inReplyToAccountId === undefined) return;
  const fetched = await fetchActivityDocument(fetcher, { url, signer: await signer() });
  if (!fetched.ok && fetched.kind !== 'gone' && fetched.kind !== 'notFound') return;
  if (fetched.ok && readReplyAuthorization(fetched.document)?.reply === uri) return;
  const deleted = Account.receiveDelete.to(inReplyToAccountId, { uri: url });
  await inbound.client.call(deleted, traced(flowOfHost(new URL(url).host), cause)).catch(ignoreFailure);
}

/** Publishes a status: validates it, finds mentions, parent and quote, and has the account actor publish it. */

import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier, Visibility } from '../../actors/account/account.records.ts';
import { findLogin, quotePolicyOf, replyPolicyOf } from '../../actors/account/profile/logins.queries.ts';
import { type AccountView, destinationOf, findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { QuotePolicy } from '../../actors/account/quotes/quotes.records.ts';
import { findStatusRecord } from '../../actors/account/remote/federation.queries.ts';
import type { StatusView } from '../../actors/account/status-views.queries.ts';
import { ReplyPolicy } from '../../actors/account/statuses/reply-policy.records.ts';
import type { PublishStatus } from '../../actors/account/statuses/statuses.messages.ts';
import { statusOfIdempotencyKey } from '../../actors/account/statuses/statuses.queries.ts';
import { type Status, threadOf } from '../../actors/account/statuses/statuses.records.ts';
import { newStatus } from '../../actors/policy/new-status.ts';
import { quoteApprovalOf } from '../../actors/policy/quotes.ts';
import { replyApprovalOf } from '../../actors/policy/replies.ts';
import { Failure, isRefusal, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import type { Services } from '../../services/services.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { attachedMedia } from '../media/attached-media.ts';
import { type OperationContext, operation } from '../operation.ts';
import { pageOf, pollWithQuote, quotableStatus, quoteOf } from '../quotes/quoted-status.ts';
import { staysHere } from './local-only.ts';
import { withRanks } from './mention-ranks.ts';
import { distinctMentions, type FoundMention, findMentions, handlesOf, knownMentions } from './mentions.ts';
import { parentOfReply } from './originals.ts';
import { consentToReply } from './reply-permission.ts';
import {
  contentOf,
  isSensitive,
  languageOf,
  type WrittenStatus,
  writtenInput,
  writtenStatus,
} from './written-status.ts';

const input = z.object({
  ...writtenInput,
  /** Defaults to the preference of the account. */
  visibility: Visibility.optional(),
  inReplyToId: identifier.optional(),
  quotedStatusId: identifier.optional(),
  /** Defaults to the preference of the account. */
  quotePolicy: QuotePolicy.optional(),
  /** Defaults to the preference of the account. */
  replyPolicy: ReplyPolicy.optional(),
  /** It stays on this server. What answers or quotes such a status does so in any case. */
  localOnly: z.boolean().optional(),
  /** If given, a text that mentions any other account is refused. */
  allowedMentionIds: z.array(identifier).optional(),
  /** The application that wrote it. */
  application: z.object({ name: z.string(), website: z.string().optional() }).optional(),
  /** Repeating returns the first status. */
  idempotencyKey: z.string().min(1).optional(),
});
type Input = z.output<typeof input>;

/** The text mentions accounts that the author did not intend. */
export class UnexpectedMentions extends Failure {
  readonly accounts: readonly AccountView[];

  constructor(accounts: readonly AccountView[]) {
    super('validation', { text: 'Text mentions accounts that are not allowed' });
    this.accounts = accounts;
  }
}

interface Published {
  readonly statusId: Id;
  /** As stored; undefined for the status of an earlier request, which may have changed since. */
  readonly status?: Status;
}

export const publishStatus = operation({
  input,
  permission: 'post',
  limit: 'statuses',
  counts: ({ status }: Published) => status !== undefined,
  run: (context, given) =>
    publish(context, given).catch((failure: unknown) => publishedBefore(context, given, failure)),
});

type Context = OperationContext<AccountCaller>;

async function publish(context: Context, given: Input): Promise<Published> {
  const { caller, services } = context;
  const { inReplyToId, quotedStatusId } = given;
  const media = { hasPoll: given.poll !== undefined };
  const attachments = attachedMedia(services, caller.accountId, given.mediaIds ?? [], media);
  const written = writtenStatus(given, quotedStatusId !== undefined, attachments);
  if (quotedStatusId !== undefined && given.poll !== undefined)
    throw validationFailure(pollWithQuote, { reason: 'pollWithQuote' });
  const quoted = quotedStatusId === undefined ? undefined : quotableStatus(services, quotedStatusId, caller.accountId);
  const parent = inReplyToId === undefined ? undefined : parentOfReply(services, inReplyToId, caller.accountId);
  const consent = parent === undefined ? {} : consentToReply(services, parent, caller.accountId);
  if (consent.asksToReply !== undefined && quoted !== undefined)
    throw validationFailure('A reply that its recipient has to agree to cannot quote', { reason: 'heldWithQuote' });
  const localOnly = staysHere(services, given, { parent, quoted });
  const handles = handlesOf(written.tokens);
  const mentions = localOnly ? knownMentions(services, handles) : await findMentions(services, handles, caller.cause);
  const related = { parent, quoted, consent };
  const message = messageOf(context, { ...given, localOnly }, written, related, mentions);
  refuseMentions(context, mentions, given.allowedMentionIds, { visibility: message.visibility, quoted });
  const { accountId } = caller;
  const { statusId, isRepeated } = await services.client.call(Account.publish.to(accountId, message), flowOf(caller));
  return isRepeated ? { statusId } : { statusId, status: newStatus(message, statusId, accountId) };
}

/** A repeated request may be refused now, if its parent was deleted since. Throws the failure of any other. */
function publishedBefore({ caller, services }: Context, { idempotencyKey }: Input, failure: unknown): Published {
  if (!isRefusal(failure)) throw failure;
  const { snapshots } = services;
  const statusId =
    idempotencyKey === undefined ? undefined : statusOfIdempotencyKey(snapshots, caller.accountId, idempotencyKey);
  if (statusId === undefined || findStatusRecord(snapshots, statusId) === undefined) throw failure;
  return { statusId };
}

interface Related {
  readonly parent: StatusView | undefined;
  readonly quoted: StatusView | undefined;
}

/** Of a new status. Throws UnexpectedMentions, Failure validation. */
export function refuseMentions(
  { caller, services }: Context,
  mentions: ReadonlyMap<string, FoundMention>,
  allowedIds: readonly Id[] | undefined,
  { visibility, quoted }: Pick<PublishStatus, 'visibility'> & Pick<Related, 'quoted'>,
): void {
  if (allowedIds !== undefined) refuseUnexpected(services, mentions, allowedIds);
  if (visibility === 'direct' && quoted !== undefined) refuseUnmentioned(mentions, quoted, caller.accountId);
}

function refuseUnexpected(
  { snapshots }: Services,
  mentions: ReadonlyMap<string, FoundMention>,
  allowedIds: readonly Id[],
): void {
  const unexpected = distinctMentions([...mentions.values()]).filter(({ mention }) => !allowedIds.includes(mention.id));
  if (unexpected.length === 0) return;
  throw new UnexpectedMentions(unexpected.flatMap(({ mention }) => findAccount(snapshots, mention.id) ?? []));
}

function messageOf(
  { caller, services }: Context,
  given: Input,
  written: WrittenStatus,
  { parent, quoted, consent }: Related & { readonly consent: ReturnType<typeof consentToReply> },
  mentions: ReadonlyMap<string, FoundMention>,
): PublishStatus {
  const login = findLogin(services.snapshots, caller.accountId);
  if (login === undefined) throw new Failure('forbidden');
  const visibility = visibilityOf(given.visibility ?? login.defaultPrivacy, quoted);
  const content = contentOf(services, written, mentions, quoted && pageOf(services, quoted));
  return withoutUndefined({
    ...content,
    mentions: withRanks(services, caller.accountId, content.mentions),
    visibility,
    sensitive: isSensitive(written, given.sensitive ?? login.defaultSensitive),
    language: languageOf(given.language) ?? languageOf(login.defaultLanguage) ?? languageOf(login.locale),
    inReplyToId: parent?.status.id,
    inReplyToAccountId: parent?.status.accountId,
    threadId: parent && threadOf(parent.status),
    inReplyToDestination: parent === undefined ? undefined : destinationOf(parent.author.profile),
    localOnly: given.localOnly === true ? true : undefined,
    application: given.application,
    idempotencyKey: given.idempotencyKey,
    quote: quoted && quoteOf(quoted, caller.accountId),
    quoteApproval: quoteApprovalOf(given.quotePolicy ?? quotePolicyOf(login), visibility),
    replyApproval: replyApprovalOf(given.replyPolicy ?? replyPolicyOf(login), visibility),
    ...consent,
  });
}

/** A status that quotes a private one, which only its author may do, is private too. */
function visibilityOf(wish: Visibility, quoted: StatusView | undefined): Visibility {
  return quoted?.status.visibility === 'private' && wish !== 'direct' ? 'private' : wish;
}

/** Throws Failure validation. The author of a status quoted in private must be able to see the quote. */
function refuseUnmentioned(mentions: ReadonlyMap<string, FoundMention>, { status }: StatusView, accountId: Id): void {
  if (status.accountId === accountId) return;
  if (![...mentions.values()].some(({ mention }) => mention.id === status.accountId))
    throw validationFailure('Cannot quote a non-mentioned user in a private mention post', {
      reason: 'quotedNotMentioned',
    });
}

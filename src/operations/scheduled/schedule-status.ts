/** Schedules a status. It is validated now, as far as possible before publication. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import { scheduledUnderKey } from '../../actors/account/scheduled/scheduled.queries.ts';
import { Failure, isRefusal, validationFailure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import { attachedMedia } from '../media/attached-media.ts';
import { type OperationContext, operation } from '../operation.ts';
import { pollWithQuote, quotableStatus } from '../quotes/quoted-status.ts';
import { staysHere } from '../statuses/local-only.ts';
import { findMentions, handlesOf, knownMentions } from '../statuses/mentions.ts';
import { parentOfReply } from '../statuses/originals.ts';
import { publishStatus, refuseMentions } from '../statuses/publish-status.ts';
import { writtenStatus } from '../statuses/written-status.ts';

const input = publishStatus.input.extend({ scheduledAt: z.number(), applicationId: identifier.optional() });
type Given = z.output<typeof input>;

export const scheduleStatus = operation({
  input,
  permission: 'post',
  run: (context, given) =>
    schedule(context, given).catch((failure: unknown) => scheduledBefore(context, given, failure)),
});

type Context = OperationContext<AccountCaller>;

interface Scheduled {
  readonly scheduledId: Id;
}

/** A repeated request may be refused now, if its parent was deleted since. Throws the failure of any other. */
function scheduledBefore({ caller, services }: Context, { idempotencyKey }: Given, failure: unknown): Scheduled {
  if (idempotencyKey === undefined || !isRefusal(failure)) throw failure;
  const scheduledId = scheduledUnderKey(services.snapshots, caller.accountId, idempotencyKey);
  if (scheduledId === undefined) throw failure;
  return { scheduledId };
}

async function schedule(context: Context, { scheduledAt, ...given }: Given): Promise<Scheduled> {
  const { caller, services } = context;
  const media = { hasPoll: given.poll !== undefined };
  const attachments = attachedMedia(services, caller.accountId, given.mediaIds ?? [], media);
  const written = writtenStatus(given, given.quotedStatusId !== undefined, attachments);
  const { text, spoilerText, poll, hasWarning, tokens } = written;
  const login = findLogin(services.snapshots, caller.accountId);
  if (login === undefined) throw new Failure('forbidden');
  if (given.quotedStatusId !== undefined && poll !== undefined)
    throw validationFailure(pollWithQuote, { reason: 'pollWithQuote' });
  const parent =
    given.inReplyToId === undefined ? undefined : parentOfReply(services, given.inReplyToId, caller.accountId);
  const quoted =
    given.quotedStatusId === undefined ? undefined : quotableStatus(services, given.quotedStatusId, caller.accountId);
  // When a content warning has become the text, publishing can no longer tell that it was a warning.
  const sensitive = hasWarning && spoilerText === '' ? true : given.sensitive;
  const visibility = given.visibility ?? login.defaultPrivacy;
  const handles = handlesOf(tokens);
  const mentions = staysHere(services, given, { parent, quoted })
    ? knownMentions(services, handles)
    : await findMentions(services, handles, caller.cause);
  refuseMentions(context, mentions, given.allowedMentionIds, { visibility, quoted });
  const post = { ...given, text, spoilerText, sensitive, poll, visibility };
  return services.client.call(Account.schedulePost.to(caller.accountId, { scheduledAt, post }), flowOf(caller));
}

/** POST /api/v1/statuses (behaviour of the Mastodon API: text, visibility, reply, mentions, tags, Idempotency-Key). */
import { z } from 'zod';
import { Account } from '../../../actors/account/account.messages.ts';
import { visibilities } from '../../../actors/account/account.records.ts';
import { findLogin } from '../../../actors/account/profile/logins.queries.ts';
import type { PublishStatus } from '../../../actors/account/statuses/statuses.messages.ts';
import { findAccount, findVisibleStatus, type StatusView } from '../../../actors/account/statuses/statuses.queries.ts';
import { findApplication } from '../../../actors/session/session.queries.ts';
import { destinationOf } from '../../../operations/destinations.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { flowOfAccount, type Services } from '../../../services/services.ts';
import { accountEntity } from '../../entities/account.ts';
import { statusEntity, withMarks } from '../../entities/status.ts';
import { json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import type { Grant } from '../../http/grant.ts';
import { choice, optionalId, text, textList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { renderStatus, viewerOfGrant, visibleStatus } from '../status-answers.ts';
import { distinctMentions, type FoundMention, findMentions, handlesOf } from './mentions.ts';
import {
  contentOf,
  isSensitive,
  languageOf,
  type WrittenStatus,
  writtenParameters,
  writtenStatus,
} from './written-status.ts';

const unmarked = { favourited: false, reblogged: false };

const parameters = z.object({
  ...writtenParameters,
  visibility: choice(visibilities),
  in_reply_to_id: optionalId,
  allowed_mentions: textList,
  scheduled_at: text,
  quoted_status_id: text,
});
type Parameters = z.output<typeof parameters>;

export const postStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: 'Publishes a status.',
  async handler(context, given) {
    const { services, grant } = context;
    context.caller.limits.check('statuses');
    refuseWhatIsNotServed(given);
    const written = writtenStatus(given);
    const parent = parentOf(context, given.in_reply_to_id);
    const mentions = await findMentions(services, handlesOf(written.text));
    refuseUnexpected(services, given, mentions);
    const message = messageOf(context, given, written, parent, mentions);
    const { statusId } = await services.client.call(
      Account.publish.to(grant.accountId, message),
      flowOfAccount(grant.accountId),
    );
    context.caller.limits.count('statuses');
    const view = visibleStatus(services, statusId, viewerOfGrant(services, grant.accountId));
    // What was published this moment has no marks yet; what an earlier request with this key published may have some.
    return json(
      message.idempotencyKey === undefined
        ? withMarks(statusEntity(view, services.addresses), unmarked, true)
        : renderStatus(services, view, grant.accountId),
    );
  },
});

/** Scheduling and quotes are not served yet: asking for them is refused, never ignored. */
function refuseWhatIsNotServed(given: Parameters): void {
  if (given.scheduled_at) throw validationFailure('Scheduled statuses are not available on this server');
  if (given.quoted_status_id) throw validationFailure('Quotes are not available on this server');
}

function parentOf({ services, grant }: UserContext<Services>, id: Id | undefined): StatusView | undefined {
  if (id === undefined) return undefined;
  const view = findVisibleStatus(services.snapshots, id, viewerOfGrant(services, grant.accountId));
  if (view === undefined) throw new Failure('notFound');
  return view.reblog ?? view;
}

/** A client may say whom it expects to be mentioned; anybody else stops the post. */
function refuseUnexpected(services: Services, given: Parameters, mentions: ReadonlyMap<string, FoundMention>): void {
  if (given.allowed_mentions === undefined) return;
  const allowed = new Set(given.allowed_mentions);
  const unexpected = distinctMentions([...mentions.values()]).filter(
    ({ mention }) => !allowed.has(mention.id.toString()),
  );
  if (unexpected.length === 0) return;
  const accounts = unexpected.flatMap(({ mention }) => findAccount(services.snapshots, mention.id) ?? []);
  throw validationFailure('Text mentions accounts that are not allowed', {
    unexpected_accounts: accounts.map((account) => accountEntity(account, services.addresses)),
  });
}

function messageOf(
  { services, grant, request }: UserContext<Services>,
  given: Parameters,
  written: WrittenStatus,
  parent: StatusView | undefined,
  mentions: ReadonlyMap<string, FoundMention>,
): PublishStatus {
  const login = findLogin(services.snapshots, grant.accountId);
  if (login === undefined) throw new Failure('forbidden');
  const idempotencyKey = request.header('idempotency-key');
  const application = applicationOf(services, grant);
  return {
    ...contentOf(services, written, mentions),
    visibility: given.visibility ?? login.defaultPrivacy,
    sensitive: isSensitive(written, given.sensitive ?? login.defaultSensitive),
    language: languageOf(given.language) ?? languageOf(login.defaultLanguage) ?? languageOf(login.locale),
    inReplyToId: parent?.status.id,
    inReplyToAccountId: parent?.status.accountId,
    inReplyToDestination: parent === undefined ? undefined : destinationOf(parent.author.profile),
    application,
    ...(idempotencyKey === undefined || idempotencyKey === '' ? {} : { idempotencyKey }),
  };
}

type StatusApplication = ReturnType<typeof findApplication>;

/** By grant, of which there is one object as long as its token is in use: an application keeps its name. */
const applications = new WeakMap<Grant, { readonly application: StatusApplication }>();

function applicationOf(services: Services, grant: Grant): StatusApplication {
  let known = applications.get(grant);
  if (known === undefined) {
    known = { application: findApplication(services.snapshots, grant) };
    applications.set(grant, known);
  }
  return known.application;
}

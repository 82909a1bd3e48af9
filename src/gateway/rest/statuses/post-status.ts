/** POST /api/v1/statuses (behaviour of the Mastodon API: text, visibility, reply, mentions, tags, Idempotency-Key). */

import { z } from 'zod';
import { visibilities } from '../../../actors/account/account.records.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import { findApplication } from '../../../actors/session/session.queries.ts';
import { scheduleStatus } from '../../../operations/scheduled/schedule-status.ts';
import { publishStatus, UnexpectedMentions } from '../../../operations/statuses/publish-status.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { accountsFor } from '../../entities/accounts-for.ts';
import { ScheduledStatusEntity } from '../../entities/scheduled-status.ts';
import { UserStatusEntity } from '../../entities/status-schema.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import type { Grant } from '../../http/grant.ts';
import { boolean, choice, idList, optionalId, time } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { scheduledAnswer } from '../scheduled-statuses/scheduled-statuses.endpoints.ts';
import { changedStatusAnswer, jsonBytes } from '../status-answers.ts';
import { writtenOf, writtenParameters } from './written-parameters.ts';

const parameters = z.object({
  ...writtenParameters,
  visibility: choice(visibilities),
  in_reply_to_id: optionalId,
  allowed_mentions: idList,
  scheduled_at: time,
  quoted_status_id: optionalId,
  local_only: boolean,
  /** The older name of GoToSocial, for the opposite. */
  federated: boolean,
});

export const postStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses',
  authentication: 'user',
  scopes: ['write:statuses'],
  parameters,
  summary: 'Publishes or schedules a status.',
  answer: z.union([UserStatusEntity, ScheduledStatusEntity]),
  async handler(context, given) {
    const { services, grant, request } = context;
    const idempotencyKey = request.header('idempotency-key') || undefined;
    const post = {
      ...writtenOf(given),
      visibility: given.visibility,
      inReplyToId: given.in_reply_to_id,
      quotedStatusId: given.quoted_status_id,
      allowedMentionIds: given.allowed_mentions,
      localOnly: given.local_only ?? (given.federated === undefined ? undefined : !given.federated),
      application: applicationOf(services, grant),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    };
    if (given.scheduled_at !== undefined) return scheduledLater(context, post, given.scheduled_at);
    const show = services.presenter.publishing();
    const { statusId, status } = await publishStatus(context, post).catch((failure: unknown) =>
      explain(services, grant, failure),
    );
    return status === undefined
      ? changedStatusAnswer(services, statusId, grant.accountId)
      : publishedAnswer(services, status, show);
  },
});

async function scheduledLater(
  context: UserContext<GatewayServices>,
  post: Parameters<typeof publishStatus>[1],
  scheduledAt: number,
): Promise<Answer> {
  const { applicationId } = context.grant;
  const { scheduledId } = await scheduleStatus(context, { ...post, scheduledAt, applicationId }).catch(
    (failure: unknown) => explain(context.services, context.grant, failure),
  );
  return scheduledAnswer(context, scheduledId);
}

type ShowPublished = ReturnType<GatewayServices['presenter']['publishing']>;

/** A new status has no interactions and was made in this thread: it is not read back. */
function publishedAnswer(services: GatewayServices, status: Status, show: ShowPublished): Answer {
  const shown = show(status);
  if (shown === undefined) throw new Failure('notFound');
  return jsonBytes(Buffer.from(services.answers.status(shown)));
}

function explain(services: Services, grant: Grant, failure: unknown): never {
  if (!(failure instanceof UnexpectedMentions)) throw failure;
  const shown = accountsFor(services, grant.accountId);
  throw validationFailure('Text mentions accounts that are not allowed', {
    details: { unexpected_accounts: failure.accounts.map((account) => shown(account)) },
  });
}

type StatusApplication = ReturnType<typeof findApplication>;

/** By grant, which is one object as long as its token is in use: the name of its application is constant. */
const applications = new WeakMap<Grant, { readonly application: StatusApplication }>();

function applicationOf(services: Services, grant: Grant): StatusApplication {
  let known = applications.get(grant);
  if (known === undefined) {
    known = { application: findApplication(services.snapshots, grant) };
    applications.set(grant, known);
  }
  return known.application;
}

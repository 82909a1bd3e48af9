/** Answers with statuses, rendered for the viewer. */
import type { Page, PageBounds } from '../../actors/pages.ts';
import type { PresentationContext } from '../../operations/presentation/contexts.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { EncodableStatus } from '../entities/encodable-status.ts';
import type { GatewayServices } from '../gateway-services.ts';
import { type Answer, type AnswerBody, bytes, jsonContentType } from '../http/answers.ts';
import type { OpenContext } from '../http/context.ts';
import { pageHeaders } from '../http/pagination.ts';
import { boundsOf, type PageParameters } from './accounts/answers.ts';
import { answerFilledPage } from './filled-page.ts';

/** The body must not change before the answer is written. */
export function jsonBytes(body: AnswerBody, headers?: Readonly<Record<string, string>>): Answer {
  return bytes(body, { contentType: jsonContentType, ...(headers === undefined ? {} : { headers }) });
}

/** For an answer that is written some microtasks later, when the buffer of bodies may be in use again. */
export function lastingBytes(body: AnswerBody, headers?: Readonly<Record<string, string>>): Answer {
  return jsonBytes(body instanceof Uint8Array ? Uint8Array.from(body) : body, headers);
}

/** Throws notFound for a status that does not exist for this viewer. */
export function shownStatus(
  { presenter }: GatewayServices,
  statusId: Id,
  viewerId: Id | undefined,
  context: PresentationContext = 'single',
): EncodableStatus {
  const shown = presenter.one(statusId, viewerId, context);
  if (shown === undefined) throw new Failure('notFound');
  return shown;
}

/**
 * The answer to a viewer who has changed the status, or the viewer's state of it. Throws notFound when it was deleted.
 */
export function changedStatusAnswer(
  services: GatewayServices,
  statusId: Id,
  viewerId: Id,
  context: PresentationContext = 'single',
): Answer {
  services.presenter.forget(statusId, viewerId);
  return lastingBytes(services.answers.status(shownStatus(services, statusId, viewerId, context)));
}

/**
 * A page of a list of statuses, with its links. `read` reads the list within the bounds; the function that it is given
 * to show a status returns undefined for one that the viewer is not shown there.
 */
export function answerStatusPage(
  { services, grant, request }: OpenContext<GatewayServices>,
  given: PageParameters,
  place: PresentationContext,
  read: (bounds: PageBounds, show: (statusId: Id) => EncodableStatus | undefined) => Page<EncodableStatus>,
  newerBy: 'min_id' | 'since_id' = 'min_id',
): Answer | Promise<Answer> {
  const { presenter, answers } = services;
  return answerFilledPage(
    boundsOf(given),
    (bounds) => read(bounds, presenter.each(grant?.accountId, place)),
    (page) => jsonBytes(answers.list(page.items), pageHeaders(request, page, given.limit, newerBy)),
  );
}

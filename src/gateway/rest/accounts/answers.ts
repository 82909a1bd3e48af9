/** Shared by the endpoints about accounts: answers with accounts, and with relationships. */
import { type AccountView, findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import type { RelationshipView } from '../../../actors/account/relationship-views.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { defaultDialect } from '../../../operations/applications/dialects.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';
import type { EncodableAccount } from '../../entities/encoded-account.ts';
import { relationshipEntity } from '../../entities/relationship.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, bytes, json, jsonContentType } from '../../http/answers.ts';
import type { OpenContext, UserContext } from '../../http/context.ts';
import type { Grant } from '../../http/grant.ts';
import { type PageAddress, pageHeaders } from '../../http/pagination.ts';
import { answerFilledPage } from '../filled-page.ts';

export function dialectOf({ grant, services }: OpenContext<Services>): Grant['dialect'] {
  return grant?.dialect ?? defaultDialect(services.options);
}

/** Specification section 7: 410 for a suspended account. Current Mastodon clients read its `suspended` instead. */
export function refuseSuspended(context: OpenContext<Services>, account: AccountView): void {
  if (account.profile.suspendedAt !== undefined && dialectOf(context) === 'specification') throw new Failure('gone');
}

/** The account that this one has moved to. */
export function movedAccount(services: Services, { profile }: AccountView): AccountView | undefined {
  return profile.movedTo === undefined ? undefined : findAccount(services.snapshots, profile.movedTo);
}

/** The relationship after a change. */
export function relationshipAnswer({ grant }: UserContext<Services>, view: RelationshipView): Answer {
  return json(relationshipEntity(view, grant.dialect));
}

export interface PageParameters {
  max_id?: Id | undefined;
  since_id?: Id | undefined;
  min_id?: Id | undefined;
  limit: number;
}

export function boundsOf({ max_id: maxId, since_id: sinceId, min_id: minId, limit }: PageParameters): PageBounds {
  return { maxId, sinceId, minId, limit };
}

/** A page of a list without hidden entries, with its links. */
export function pageAnswer<Item>(
  request: PageAddress,
  page: Page<Item>,
  limit: number,
  entityOf: (item: Item) => unknown,
): Answer {
  return json(page.items.map(entityOf), { headers: pageHeaders(request, page, limit, 'since_id') });
}

/** The same for a list that may hide entries from a viewer. `read` reads the list within the bounds. */
export function answerPage<Item>(
  request: PageAddress,
  given: PageParameters,
  read: (bounds: PageBounds) => Page<Item>,
  entityOf: (item: Item) => unknown,
): Answer | Promise<Answer> {
  return answerFilledPage(boundsOf(given), read, (page) => pageAnswer(request, page, given.limit, entityOf));
}

/** The same for a list of accounts, in their cached encoded form. */
export function answerAccountPage(
  { request, services: { answers } }: OpenContext<GatewayServices>,
  given: PageParameters,
  read: (bounds: PageBounds) => Page<EncodableAccount>,
): Answer | Promise<Answer> {
  return answerFilledPage(boundsOf(given), read, (page) =>
    bytes(answers.accounts(page.items), {
      contentType: jsonContentType,
      headers: pageHeaders(request, page, given.limit, 'since_id'),
    }),
  );
}

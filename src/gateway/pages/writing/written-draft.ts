/** The form of a post that exists: to edit it, or to write it anew. */
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import { replyPolicyIn } from '../../../actors/policy/replies.ts';
import type { PresentedStatus } from '../../../operations/presentation/presented-status.ts';
import { ownStatus } from '../../../operations/statuses/own-status.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { shownStatus } from '../filtered.ts';
import type { Draft } from '../parts/compose.ts';
import type { MediaDrafts } from '../parts/media-fields.ts';
import { chosenPolicy } from '../parts/quote-policy.ts';
import type { MemberVisit, Visit } from '../visit.ts';

/** Throws Failure notFound for any but a post of the visitor. */
export function ownPost({ services, account }: MemberVisit, id: Id) {
  const view = ownStatus(services, id, account.id);
  if (view.reblog !== undefined) throw new Failure('notFound');
  return view;
}

/** All but its poll, and what becomes of it. */
export function writtenDraft(visit: Visit, status: Status) {
  return {
    text: status.text,
    warning: status.spoilerText,
    language: status.language,
    visibility: status.visibility,
    media: mediaOfStatus(status),
    quoted: quotedBy(visit, status.id),
    quotePolicy: chosenPolicy(status.quoteApproval),
    replyPolicy: replyPolicyIn(status.replyApproval),
  } satisfies Partial<Draft>;
}

function mediaOfStatus({ attachments, sensitive, spoilerText }: Status): MediaDrafts {
  const media = attachments.map((attachment) => ({ attachment, state: 'ready' as const }));
  return { media, sensitive: sensitive && spoilerText === '' };
}

/** The quoted post, if its author may still see it. */
export function quotedBy(visit: Visit, id: Id): PresentedStatus | undefined {
  return shownStatus(visit, id, 'single')?.quote?.status;
}

/** What the public and the tag timelines share: their parameters, and the answer made of a page of ids. */
import type { z } from 'zod';
import { findVisibleStatus } from '../../../actors/account/statuses/statuses.queries.ts';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { remembered } from '../../../actors/policy/remembered.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import type { TimelineChoice } from '../../../actors/timelines.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';
import { type Answer, json } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { boolean, pageParameters } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { renderStatus, viewerOfGrant } from '../status-answers.ts';

export const timelineParameters = { local: boolean, remote: boolean, only_media: boolean, ...pageParameters(20, 40) };

type TimelineGiven = z.output<z.ZodObject<typeof timelineParameters>>;

type ReadPage = (choice: TimelineChoice, viewer: Viewer, bounds: PageBounds) => Page<Id>;

export function answerTimeline(
  context: OpenContext<Services>,
  given: TimelineGiven,
  read: ReadPage,
): Answer | Promise<Answer> {
  const { services, grant, request } = context;
  const viewer = remembered(viewerOfGrant(services, grant?.accountId));
  const choice = choiceOf(given);
  return answerFilledPage(
    boundsOf(given),
    (bounds) => read(choice, viewer, bounds),
    (page) =>
      json(renderListed(services, page.items, viewer), {
        headers: pageHeaders(request, page, given.limit, 'min_id'),
      }),
  );
}

/** Asking for both local and remote is asking for all. */
function choiceOf({ local = false, remote = false, only_media: onlyMedia = false }: TimelineGiven): TimelineChoice {
  if (local === remote) return { origin: 'all', onlyMedia };
  return { origin: local ? 'local' : 'remote', onlyMedia };
}

/** Limited accounts are shown to their followers only. */
function renderListed(services: Services, ids: readonly Id[], viewer: Viewer): Record<string, unknown>[] {
  const rendered: Record<string, unknown>[] = [];
  for (const id of ids) {
    const view = findVisibleStatus(services.snapshots, id, viewer);
    if (view === undefined) continue;
    const { id: authorId, limited } = view.author.profile;
    if (limited && authorId !== viewer.accountId && !viewer.follows(authorId)) continue;
    rendered.push(renderStatus(services, view, viewer.accountId));
  }
  return rendered;
}

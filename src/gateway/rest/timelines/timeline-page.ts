/** What the public and the tag timelines share: their parameters, and the answer made of a page of ids. */
import type { z } from 'zod';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import type { TimelineChoice } from '../../../actors/timelines.queries.ts';
import type { PresentationContext } from '../../../operations/presentation/contexts.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { EncodableStatus } from '../../entities/encoded-status.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { pageHeaders } from '../../http/pagination.ts';
import { boolean, pageParameters } from '../../http/parameter-types.ts';
import { boundsOf } from '../accounts/answers.ts';
import { answerFilledPage } from '../filled-page.ts';
import { jsonBytes } from '../status-answers.ts';

export const timelineParameters = { local: boolean, remote: boolean, only_media: boolean, ...pageParameters(20, 40) };

type TimelineGiven = z.output<z.ZodObject<typeof timelineParameters>>;

type Show = (statusId: Id) => EncodableStatus | undefined;
type ReadPage = (choice: TimelineChoice, viewer: Viewer, bounds: PageBounds, show: Show) => Page<EncodableStatus>;

export function answerTimeline(
  context: OpenContext<GatewayServices>,
  given: TimelineGiven,
  place: PresentationContext,
  read: ReadPage,
): Answer | Promise<Answer> {
  const { services, grant, request } = context;
  const choice = choiceOf(given);
  const { presenter } = services;
  const viewerId = grant?.accountId;
  return answerFilledPage(
    boundsOf(given),
    (bounds) => read(choice, presenter.viewer(viewerId), bounds, (id) => presenter.one(id, viewerId, place)),
    (page) => jsonBytes(services.answers.list(page.items), pageHeaders(request, page, given.limit, 'min_id')),
  );
}

/** Asking for both local and remote is asking for all. */
function choiceOf({ local = false, remote = false, only_media: onlyMedia = false }: TimelineGiven): TimelineChoice {
  if (local === remote) return { origin: 'all', onlyMedia };
  return { origin: local ? 'local' : 'remote', onlyMedia };
}

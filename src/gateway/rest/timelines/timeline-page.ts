/** Shared by the public and the tag timelines: their parameters, and the answer for a page of ids. */
import type { z } from 'zod';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import type { TimelineChoice } from '../../../actors/timelines.queries.ts';
import type { PresentationContext } from '../../../operations/presentation/contexts.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { EncodableStatus } from '../../entities/encodable-status.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import { boolean, pageParameters } from '../../http/parameter-types.ts';
import { answerStatusPage } from '../status-answers.ts';

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
  const choice = choiceOf(given);
  return answerStatusPage(context, given, place, (bounds, show) =>
    read(choice, context.services.presenter.viewer(context.grant?.accountId), bounds, show),
  );
}

/** Requesting both local and remote means all. */
function choiceOf({ local = false, remote = false, only_media: onlyMedia = false }: TimelineGiven): TimelineChoice {
  if (local === remote) return { origin: 'all', onlyMedia };
  return { origin: local ? 'local' : 'remote', onlyMedia };
}

/** Shared by the public and the tag timelines: their parameters, and the answer for a page of ids. */
import type { z } from 'zod';
import type { Page, PageBounds } from '../../../actors/pages.ts';
import { type FeedKind, readableOrigin } from '../../../actors/policy/feed-access.ts';
import type { Viewer } from '../../../actors/policy/visibility.ts';
import type { Origin, TimelineChoice } from '../../../actors/timelines.queries.ts';
import type { PresentationContext } from '../../../operations/presentation/contexts.ts';
import { feedReaches } from '../../../operations/timelines/feed-access.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { EncodableStatus } from '../../entities/encodable-status.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, json } from '../../http/answers.ts';
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
  const asked = choiceOf(given);
  const origin = readOrigin(context, place === 'tag' ? 'topic' : 'live', asked.origin);
  if (origin === undefined) return json([]);
  const choice = { ...asked, origin };
  return answerStatusPage(context, given, place, (bounds, show) =>
    read(choice, context.services.presenter.viewer(context.grant?.accountId), bounds, show),
  );
}

/**
 * Of which servers posts are read; undefined where the user may read none of those. Throws Failure userRequired for whoever
 * has not signed in and may not read all of them (behaviour of the Mastodon API).
 */
export function readOrigin(
  { services, grant }: OpenContext<GatewayServices>,
  kind: FeedKind,
  asked: Origin,
): Origin | undefined {
  const accountId = grant?.accountId;
  const origin = readableOrigin(asked, feedReaches(services, accountId)[kind]);
  if (accountId === undefined && origin !== asked) throw new Failure('userRequired');
  return origin;
}

/** Requesting both local and remote means all. */
function choiceOf({ local = false, remote = false, only_media: onlyMedia = false }: TimelineGiven): TimelineChoice {
  if (local === remote) return { origin: 'all', onlyMedia };
  return { origin: local ? 'local' : 'remote', onlyMedia };
}

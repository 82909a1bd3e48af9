/** The services of gateways: those of every thread, and those that only a gateway thread has. */

import { ServerProblems } from '../operations/instance/server-problems.ts';
import { ConversationPresenter } from '../operations/presentation/conversations.ts';
import { presentationLimits } from '../operations/presentation/limits.ts';
import { NotificationGroups } from '../operations/presentation/notification-groups.ts';
import { NotificationRequestPresenter } from '../operations/presentation/notification-requests.ts';
import { NotificationPresenter } from '../operations/presentation/notifications.ts';
import { Presenter } from '../operations/presentation/presenter.ts';
import { HomeTimeline } from '../operations/timelines/home-timeline.ts';
import { ListTimeline } from '../operations/timelines/list-timeline.ts';
import { Originals } from '../operations/timelines/originals.ts';
import { RepeatedReblogs } from '../operations/timelines/repeated-reblogs.ts';
import { Timelines } from '../operations/timelines/timelines.ts';
import { BoundedSlices } from '../services/bounded-slices.ts';
import { offersEmailSubscriptions } from '../services/email-subscriptions.ts';
import { mediaRules } from '../services/media/media-rules.ts';
import type { Services } from '../services/services.ts';
import { CredentialsCache } from './entities/credentials-cache.ts';
import type { EntityForms } from './entities/encodable-status.ts';
import { EncodedAnswers, type StatusPresenter } from './entities/encoded-answers.ts';
import { entityEncoder } from './entities/encoded-status.ts';
import { PageCache } from './entities/page-cache.ts';
import { AnswerBlocks } from './http/answer-blocks.ts';

export interface GatewayServices extends Services {
  /** Decides which statuses a viewer is shown, with the viewer's state of each. */
  readonly presenter: StatusPresenter;
  readonly conversations: ConversationPresenter<EntityForms>;
  readonly notifications: NotificationPresenter<EntityForms>;
  readonly notificationGroups: NotificationGroups<EntityForms>;
  /** For lists of notifications, of which long ones hold thousands. */
  readonly notificationSlices: BoundedSlices;
  readonly notificationRequests: NotificationRequestPresenter<EntityForms>;
  /** Lists of statuses. */
  readonly timelines: Timelines;
  readonly homeTimeline: HomeTimeline;
  readonly listTimeline: ListTimeline;
  /** Those that homes and lists leave out. */
  readonly repeatedReblogs: RepeatedReblogs;
  /** Answers with statuses, as encoded bytes. */
  readonly answers: EncodedAnswers;
  /** Memory for the pieces of large answers. */
  readonly answerBlocks: AnswerBlocks;
  readonly credentials: CredentialsCache;
  readonly pageCache: PageCache;
  /** Problems of the partitions. */
  readonly serverProblems: ServerProblems;
}

/** One set for each gateway thread. */
export function gatewayServices(services: Services): GatewayServices {
  const { snapshots, events, caches, addresses } = services;
  const now = () => services.now();
  const answerBlocks = new AnswerBlocks();
  const encoder = entityEncoder(addresses, () => offersEmailSubscriptions(services));
  const presenter = new Presenter({ snapshots, events, caches, now, encoder, mediaRules: mediaRules(services) });
  const homeTimeline = new HomeTimeline(services);
  const notifications = new NotificationPresenter({ snapshots, now, caches, events }, presenter);
  return {
    ...services,
    presenter,
    conversations: new ConversationPresenter({ snapshots, caches, events }, presenter),
    notifications,
    notificationGroups: new NotificationGroups(notifications),
    notificationSlices: new BoundedSlices(services.slices, presentationLimits.notificationListsUnderWayMax),
    notificationRequests: new NotificationRequestPresenter({ snapshots }, presenter, notifications),
    timelines: new Timelines(snapshots, events, caches),
    homeTimeline,
    listTimeline: new ListTimeline(services),
    repeatedReblogs: new RepeatedReblogs({
      homeTimeline,
      feeds: services.feeds,
      originals: new Originals(snapshots, caches),
      isShown: (statusId, accountId) => presenter.one(statusId, accountId, 'home') !== undefined,
    }),
    answers: new EncodedAnswers(presenter, addresses, answerBlocks),
    answerBlocks,
    credentials: new CredentialsCache(caches, events),
    pageCache: new PageCache(caches, now),
    serverProblems: new ServerProblems(services),
  };
}

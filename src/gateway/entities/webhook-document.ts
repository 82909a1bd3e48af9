/** What webhooks are told, as JSON: the event, when it happened, and the entity that it is about. */
import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import { findWebhook } from '../../actors/instance/webhooks/webhooks.queries.ts';
import { type WebhookNewsName, webhookEvents, webhookTest } from '../../actors/policy/webhooks.ts';
import { Presenter } from '../../operations/presentation/presenter.ts';
import type { WebhookDocument } from '../../outbound/webhooks/ports.ts';
import type { Id } from '../../runtime/ids.ts';
import { Caches } from '../../services/caches.ts';
import { offersEmailSubscriptions } from '../../services/email-subscriptions.ts';
import { EventHub } from '../../services/event-hub.ts';
import type { Services } from '../../services/services.ts';
import { AnswerBlocks } from '../http/answer-blocks.ts';
import { adminAccountEntity } from './admin/accounts.ts';
import { adminReportEntity, type ReportServices } from './admin/reports.ts';
import { EncodedAnswers } from './encoded-answers.ts';
import { entityEncoder } from './encoded-status.ts';
import { timestamp } from './values.ts';

/** What a webhook is told is read once, when it is told: nothing is kept that could be older than it. */
const withoutCaches = new Caches({ role: 'webhooks', bytes: 0 });

/** For a thread. A status is shown as to a visitor who may see all of them. */
export function webhookDocument(services: Services): WebhookDocument {
  return ({ event, at, subjectId }) => {
    const object = objectOf(event, subjectId, services);
    return object && `{"event":"${event}","created_at":"${timestamp(at)}","object":${object}}`;
  };
}

function readingOf(services: Services): ReportServices {
  const { snapshots, addresses } = services;
  const presenter = new Presenter({
    snapshots,
    events: new EventHub(),
    caches: withoutCaches,
    now: () => services.now(),
    encoder: entityEncoder(addresses, () => offersEmailSubscriptions(services)),
  });
  return { ...services, presenter, answers: new EncodedAnswers(presenter, addresses, new AnswerBlocks()) };
}

/** JSON. Undefined for what is gone. */
function objectOf(event: WebhookNewsName, id: Id, services: Services): string | undefined {
  const { snapshots } = services;
  if (event === webhookTest) {
    const webhook = findWebhook(snapshots, id);
    return webhook && JSON.stringify({ id: id.toString(), events: webhook.events });
  }
  switch (webhookEvents[event].about) {
    case 'account': {
      const view = findAccount(snapshots, id);
      return view && JSON.stringify(adminAccountEntity(view, services));
    }
    case 'report': {
      const report = findReport(snapshots, id);
      const entity = report && adminReportEntity(report, readingOf(services), undefined);
      return entity && JSON.stringify(entity);
    }
    case 'status': {
      const { presenter, answers } = readingOf(services);
      const shown = presenter.one(id, undefined, 'report');
      return shown && answers.status(shown).toString();
    }
  }
}

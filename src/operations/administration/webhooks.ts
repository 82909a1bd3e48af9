/**
 * Webhooks: addresses that are told what happens on this server (behaviour of the pages of Mastodon). Who chooses an event
 * must hold the permission for what it tells; and whoever changes, removes or enables a webhook, those for all its events.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Instance, instanceKey } from '../../actors/instance/instance.messages.ts';
import { allWebhooks, findWebhook, type StoredWebhook } from '../../actors/instance/webhooks/webhooks.queries.ts';
import type { WebhookContent } from '../../actors/instance/webhooks/webhooks.records.ts';
import { isTemplate, templateLimits } from '../../actors/policy/webhook-template.ts';
import { type WebhookEvent, webhookEventNames, webhookEvents, webhookLane } from '../../actors/policy/webhooks.ts';
import { parseWebhookUrl } from '../../outbound/webhooks/webhook-address.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { type Caller, flowOf } from '../caller.ts';
import { type OperationContext, operation } from '../operation.ts';
import { holdsPermission } from '../permissions.ts';
import { blank, type FieldProblem, FieldsRefused, invalid, refuseFields, tooLong } from '../refused-fields.ts';

/** Commands send it as they read it. */
const named = z.object({ webhookId: z.coerce.bigint() });
const content = {
  url: z.string().trim().optional(),
  events: z.array(z.string()).optional(),
  /** Of the body; empty for the usual one. */
  template: z.string().optional(),
};
type Given = { readonly [Field in keyof typeof content]?: z.infer<(typeof content)[Field]> };

const secretBytes = 20;
const newSecret = () => randomBytes(secretBytes).toString('hex');

const notAllowed: FieldProblem = {
  kind: 'invalid',
  words: 'include some that need a permission which you do not have',
  reason: 'eventsNotAllowed',
};

/** Oldest first. */
export const listWebhooks = operation({
  input: z.object({}),
  permission: 'manageWebhooks',
  audit: reads,
  run: ({ services }): StoredWebhook[] => allWebhooks(services.snapshots),
});

export const showWebhook = operation({
  input: named,
  permission: 'manageWebhooks',
  audit: reads,
  /** Throws Failure notFound. */
  run: ({ services }, { webhookId }): StoredWebhook => storedWebhook(services, webhookId),
});

export const addWebhook = operation({
  input: z.object(content),
  permission: 'manageWebhooks',
  audit: 'addWebhook',
  /** Throws FieldsRefused, and Failure validation where there are too many. */
  async run({ caller, services, audit }, given): Promise<StoredWebhook> {
    const checked = contentOf({ caller, services }, given, { url: '', events: [], template: '' });
    const message = Instance.addWebhook.to(instanceKey, { ...checked, secret: newSecret(), audit });
    const { webhookId } = await services.client.call(message, flowOf(caller));
    return storedWebhook(services, webhookId);
  },
});

export const changeWebhook = operation({
  input: named.extend(content),
  permission: 'manageWebhooks',
  audit: 'changeWebhook',
  on: ownEvents,
  /** What is not given stays; what waits for it is tried at once. Throws Failure notFound and forbidden, and FieldsRefused. */
  async run({ caller, services, audit }, { webhookId, ...given }, before): Promise<StoredWebhook> {
    const checked = contentOf({ caller, services }, given, before);
    const message = Instance.changeWebhook.to(instanceKey, { webhookId, content: checked, audit });
    await services.client.call(message, flowOf(caller));
    if (checked.url !== before.url) await services.deliveryLanes.retry(webhookLane(webhookId));
    return storedWebhook(services, webhookId);
  },
});

export const removeWebhook = operation({
  input: named,
  permission: 'manageWebhooks',
  audit: 'removeWebhook',
  on: ownEvents,
  /** What waits for it is not sent. Throws Failure notFound and forbidden. */
  run: ({ caller, services, audit }, { webhookId }) =>
    services.client.call(Instance.removeWebhook.to(instanceKey, { webhookId, audit }), flowOf(caller)),
});

export const enableWebhook = operation({
  input: named,
  permission: 'manageWebhooks',
  audit: 'enableWebhook',
  on: ownEvents,
  /** It is told of what happens from now on. Throws Failure notFound and forbidden. */
  async run({ caller, services, audit }, { webhookId }): Promise<StoredWebhook> {
    const message = Instance.enableWebhook.to(instanceKey, { webhookId, isEnabled: true, audit });
    await services.client.call(message, flowOf(caller));
    await services.deliveryLanes.retry(webhookLane(webhookId));
    return storedWebhook(services, webhookId);
  },
});

export const disableWebhook = operation({
  input: named,
  permission: 'manageWebhooks',
  audit: 'disableWebhook',
  /** What waits for it is not sent. Throws Failure notFound. */
  async run({ caller, services, audit }, { webhookId }): Promise<StoredWebhook> {
    const message = Instance.enableWebhook.to(instanceKey, { webhookId, isEnabled: false, audit });
    await services.client.call(message, flowOf(caller));
    return storedWebhook(services, webhookId);
  },
});

export const rotateWebhookSecret = operation({
  input: named,
  permission: 'manageWebhooks',
  audit: 'rotateWebhookSecret',
  on: ownEvents,
  /** Throws Failure notFound and forbidden. */
  async run({ caller, services, audit }, { webhookId }): Promise<StoredWebhook> {
    const message = Instance.replaceWebhookSecret.to(instanceKey, { webhookId, secret: newSecret(), audit });
    await services.client.call(message, flowOf(caller));
    return storedWebhook(services, webhookId);
  },
});

export const testWebhook = operation({
  input: named,
  permission: 'manageWebhooks',
  audit: 'testWebhook',
  /**
   * It is told at once that it is tested, in its turn: what waits for it goes first. How that is answered is stored as of
   * everything else. Throws Failure notFound, and validation for one that is disabled.
   */
  async run({ caller, services, audit }, { webhookId }): Promise<StoredWebhook> {
    await services.client.call(Instance.testWebhook.to(instanceKey, { webhookId, audit }), flowOf(caller));
    await services.deliveryLanes.retry(webhookLane(webhookId));
    return storedWebhook(services, webhookId);
  },
});

/** The events that the caller may choose. */
export function eventsFor(caller: Caller, services: Pick<Services, 'snapshots'>): WebhookEvent[] {
  return webhookEventNames.filter((event) => holdsPermission(webhookEvents[event].permission, caller, services));
}

/** For `on`: one of which the caller may choose all events. Throws Failure notFound and forbidden. */
function ownEvents(
  { caller, services }: OperationContext,
  { webhookId }: { readonly webhookId: bigint },
): StoredWebhook {
  const webhook = storedWebhook(services, webhookId);
  const allowed = eventsFor(caller, services);
  if (!webhook.events.every((event) => allowed.includes(event))) throw new Failure('forbidden');
  return webhook;
}

function storedWebhook({ snapshots }: Pick<Services, 'snapshots'>, webhookId: Id): StoredWebhook {
  const webhook = findWebhook(snapshots, webhookId);
  if (webhook === undefined) throw new Failure('notFound');
  return webhook;
}

/** Throws FieldsRefused. */
function contentOf(
  { caller, services }: { readonly caller: Caller; readonly services: Services },
  { url = '', events, template }: Given,
  before: WebhookContent,
): WebhookContent {
  const target = parseWebhookUrl(url === '' ? before.url : url, services);
  const chosen = [...new Set(events ?? before.events)];
  const known = webhookEventNames.filter((event) => chosen.includes(event));
  const text = (template ?? before.template).trim();
  const allowed = eventsFor(caller, services);
  if (url === '' && before.url === '') throw new FieldsRefused({ url: [blank] });
  refuseFields({
    url: target.ok ? [] : [{ kind: 'invalid', words: `is invalid: ${target.detail}` }],
    events: problemsOf(chosen, known, allowed),
    template:
      text.length > templateLimits.charactersMax
        ? [tooLong(templateLimits.charactersMax)]
        : isTemplate(text)
          ? []
          : [invalid],
  });
  return { url: target.ok ? target.url.href : before.url, events: known, template: text };
}

function problemsOf(
  chosen: readonly string[],
  known: readonly WebhookEvent[],
  allowed: readonly WebhookEvent[],
): FieldProblem[] {
  if (chosen.length === 0) return [blank];
  if (known.length < chosen.length) return [invalid];
  return known.every((event) => allowed.includes(event)) ? [] : [notAllowed];
}

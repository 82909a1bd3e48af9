/**
 * Keeps webhooks. Each partition has a copy of which of them want which events, so that turns in which something happens ask
 * nobody; every change is sent to all partitions.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { countEntries } from '../../../runtime/storage/rules.ts';
import { recordAudit } from '../../audit.state.ts';
import { PartitionActor } from '../../partition/partition.messages.ts';
import { tellWebhook } from '../../partition/tell-webhooks.ts';
import { webhookTest } from '../../policy/webhooks.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import type { webhookMessages } from './webhooks.messages.ts';
import { allWebhooks } from './webhooks.queries.ts';
import type { Webhook, WebhookContent } from './webhooks.records.ts';
import { webhooks } from './webhooks.state.ts';

type Body<Name extends keyof typeof webhookMessages> = BodyOf<(typeof webhookMessages)[Name]>;

export function addWebhook(turn: InstanceTurn, { audit, ...given }: Body<'addWebhook'>): { webhookId: Id } {
  const { key } = turn.self;
  if (countEntries(turn, webhooks, [key]) >= instanceLimits.webhooksMax)
    throw validationFailure('There are too many webhooks: remove some first');
  const webhookId = turn.nextId();
  const webhook = { ...given, isEnabled: true, createdAt: turn.now, updatedAt: turn.now };
  turn.put(webhooks, [key, webhookId], webhook);
  tellPartitions(turn);
  recordAudit(turn, audit, { ...namesOf(webhookId, webhook), after: factsOf(webhook) });
  return { webhookId };
}

export function changeWebhook(turn: InstanceTurn, { webhookId, content, audit }: Body<'changeWebhook'>): undefined {
  const before = webhookOf(turn, webhookId);
  const after = { ...before, ...content, updatedAt: turn.now };
  // What another address has answered says nothing of this one.
  const { acceptedAt, failedAt, problem, ...others } = after;
  turn.put(webhooks, [turn.self.key, webhookId], before.url === after.url ? after : others);
  tellPartitions(turn);
  recordAudit(turn, audit, {
    ...namesOf(webhookId, after),
    before: factsOf(before),
    after: factsOf(after),
    changed: (['url', 'template'] as const).filter((field) => before[field] !== after[field]),
  });
}

export function removeWebhook(turn: InstanceTurn, { webhookId, audit }: Body<'removeWebhook'>): undefined {
  const before = webhookOf(turn, webhookId);
  turn.delete(webhooks, [turn.self.key, webhookId]);
  tellPartitions(turn);
  recordAudit(turn, audit, { ...namesOf(webhookId, before), before: factsOf(before) });
}

export function enableWebhook(turn: InstanceTurn, { webhookId, isEnabled, audit }: Body<'enableWebhook'>): undefined {
  const before = webhookOf(turn, webhookId);
  const after = { ...before, isEnabled, updatedAt: turn.now };
  turn.put(webhooks, [turn.self.key, webhookId], after);
  tellPartitions(turn);
  recordAudit(turn, audit, { ...namesOf(webhookId, before), before: factsOf(before), after: factsOf(after) });
}

export function replaceWebhookSecret(
  turn: InstanceTurn,
  { webhookId, secret, audit }: Body<'replaceWebhookSecret'>,
): undefined {
  const before = webhookOf(turn, webhookId);
  turn.put(webhooks, [turn.self.key, webhookId], { ...before, secret, updatedAt: turn.now });
  recordAudit(turn, audit, { ...namesOf(webhookId, before), changed: ['secret'] });
}

export function testWebhook(turn: InstanceTurn, { webhookId, audit }: Body<'testWebhook'>): undefined {
  const webhook = webhookOf(turn, webhookId);
  if (!webhook.isEnabled) throw validationFailure('The webhook is disabled: enable it first');
  tellWebhook(turn, webhookId, webhookTest, webhookId);
  recordAudit(turn, audit, namesOf(webhookId, webhook));
}

export function webhookAnswered(
  turn: InstanceTurn,
  { webhookId, answer: { at, problem } }: Body<'webhookAnswered'>,
): undefined {
  const key: [string, bigint] = [turn.self.key, webhookId];
  const before = turn.get(webhooks, key);
  if (before === undefined) return;
  turn.put(webhooks, key, problem === undefined ? { ...before, acceptedAt: at } : { ...before, failedAt: at, problem });
}

function tellPartitions(turn: InstanceTurn): void {
  const wanted = allWebhooks(turn)
    .filter(({ isEnabled }) => isEnabled)
    .map(({ id, events }) => ({ id, events }));
  const version = turn.nextId();
  for (let partition = 0; partition < turn.partitions; partition += 1)
    turn.tell(PartitionActor.webhooksChanged.to(BigInt(partition), { version, webhooks: wanted }));
}

function webhookOf(turn: InstanceTurn, webhookId: Id): Webhook {
  const found = turn.get(webhooks, [turn.self.key, webhookId]);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

/** Addresses of webhooks often contain what lets anybody use them: the audit log has the host only. */
function namesOf(webhookId: Id, { url }: Pick<WebhookContent, 'url'>) {
  return { targetId: webhookId, name: URL.parse(url)?.host ?? '' };
}

function factsOf({ events, isEnabled, url }: Pick<Webhook, 'events' | 'isEnabled' | 'url'>) {
  return { events: events.join(', '), isEnabled, host: URL.parse(url)?.host };
}

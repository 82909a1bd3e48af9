/** Rows of staff.test.ts: what the operations about webhooks are called with. */
import { addWebhook } from '../../src/operations/administration/webhooks.ts';
import { operator } from '../../src/operations/caller.ts';
import type { Callers } from './callers.ts';

const content = { url: 'https://bot.example/', events: ['account.created'] };

export function webhookInputs(callers: () => Callers): Readonly<Record<string, () => unknown>> {
  const onWebhook = async () => {
    const { id } = await addWebhook({ caller: operator, services: callers().services }, content);
    return { webhookId: id };
  };
  return {
    addWebhook: () => content,
    changeWebhook: async () => ({ ...(await onWebhook()), template: '{{event}}' }),
    disableWebhook: onWebhook,
    enableWebhook: onWebhook,
    listWebhooks: () => ({}),
    removeWebhook: onWebhook,
    rotateWebhookSecret: onWebhook,
    showWebhook: onWebhook,
    testWebhook: onWebhook,
  };
}

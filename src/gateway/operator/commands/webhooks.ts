/** Commands about webhooks. */
import type { StoredWebhook } from '../../../actors/instance/webhooks/webhooks.queries.ts';
import { webhookEventNames } from '../../../actors/policy/webhooks.ts';
import {
  addWebhook,
  changeWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../../operations/administration/webhooks.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command, type FlagValues } from './command.ts';
import { demandChange, text, UsageError } from './reading.ts';

const flags = {
  events: { value: '"EVENT …"', sentence: `What it is told of: ${webhookEventNames.join(', ')}.` },
  template: { value: 'TEXT', sentence: 'Of what is sent, with {{object.id}} for a value; empty for the usual JSON.' },
};

function contentOf(given: FlagValues) {
  const events = text(given, 'events')
    ?.split(/[\s,]+/)
    .filter((name) => name !== '');
  return { events, template: text(given, 'template') };
}

function idOf(given: string) {
  if (parseId(given) === undefined) throw new UsageError(`${given} is not the number of a webhook.`);
  return { webhookId: given };
}

const list = command({
  words: 'webhooks list',
  sentence: 'Lists the webhooks, and how their last requests have ended.',
  read: () => ({}),
  operation: listWebhooks,
  print: (webhooks) => (webhooks.length === 0 ? ['There are none.'] : webhooks.map(lineOf)),
});

const add = command({
  words: 'webhooks add',
  argument: 'ADDRESS',
  flags,
  sentence: 'Adds a webhook, and prints its secret.',
  read: (url, given) => ({ url, ...contentOf(given) }),
  operation: addWebhook,
  print: (webhook) => [lineOf(webhook), `Secret: ${webhook.secret}`],
});

const modify = command({
  words: 'webhooks modify',
  argument: 'ID',
  flags: { url: { value: 'ADDRESS', sentence: 'Where requests go.' }, ...flags },
  sentence: 'Changes a webhook; what is not given stays.',
  read(given, chosen) {
    demandChange(chosen);
    return { ...idOf(given), url: text(chosen, 'url'), ...contentOf(chosen) };
  },
  operation: changeWebhook,
  print: (webhook) => [lineOf(webhook)],
});

const enable = command({
  words: 'webhooks enable',
  argument: 'ID',
  sentence: 'Enables a webhook: it is told of what happens from now on.',
  read: idOf,
  operation: enableWebhook,
  print: (webhook) => [lineOf(webhook)],
});

const disable = command({
  words: 'webhooks disable',
  argument: 'ID',
  sentence: 'Disables a webhook; what waits for it is not sent.',
  read: idOf,
  operation: disableWebhook,
  print: (webhook) => [lineOf(webhook)],
});

const rotate = command({
  words: 'webhooks rotate-secret',
  argument: 'ID',
  sentence: 'Gives a webhook another secret, and prints it.',
  read: idOf,
  operation: rotateWebhookSecret,
  print: ({ secret }) => [`Secret: ${secret}`],
});

const test = command({
  words: 'webhooks test',
  argument: 'ID',
  sentence: 'Tells a webhook of a test. How it has answered is in the list a moment later.',
  read: idOf,
  operation: testWebhook,
  print: (_webhook, { webhookId }) => [`The webhook ${webhookId} is told of a test.`],
});

const remove = command({
  words: 'webhooks remove',
  argument: 'ID',
  sentence: 'Removes a webhook; what waits for it is not sent.',
  read: idOf,
  operation: removeWebhook,
  print: (_removed, { webhookId }) => [`Removed the webhook ${webhookId}.`],
});

function lineOf({ id, url, events, isEnabled, acceptedAt, failedAt, problem }: StoredWebhook): string {
  const why = problem?.status ?? problem?.detail;
  const answers = [
    ...(acceptedAt === undefined ? [] : [`accepted ${new Date(acceptedAt).toISOString()}`]),
    ...(failedAt === undefined ? [] : [`failed ${new Date(failedAt).toISOString()} (${why})`]),
  ];
  return [id, isEnabled ? 'enabled' : 'disabled', url, events.join(' '), ...answers].join('  ');
}

export const webhookCommands = [list, add, modify, enable, disable, rotate, test, remove];

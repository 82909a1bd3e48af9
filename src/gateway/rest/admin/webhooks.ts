/** The endpoints of webhooks, our own: Mastodon has them on its pages only. */
import { z } from 'zod';
import {
  addWebhook,
  changeWebhook,
  disableWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhookSecret,
  showWebhook,
  testWebhook,
} from '../../../operations/administration/webhooks.ts';
import { AdminWebhookEntity, adminWebhookEntity } from '../../entities/admin/webhooks.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, list, text } from '../../http/parameter-types.ts';
import { staffEndpoint } from './staff-endpoint.ts';

const path = '/api/murmuration/v1/admin/webhooks';
const ofOne = { path: `${path}/:id`, parameters: z.object({ id }) };
const reading = { scopes: ['admin:read'] };
const writing = { scopes: ['admin:write'] };

const content = { url: text, events: list(text), template: text };

interface Given {
  readonly url?: string | undefined;
  readonly events?: readonly (string | undefined)[] | undefined;
  readonly template?: string | undefined;
}

function contentOf({ events, ...others }: Given) {
  return { ...others, events: events?.map((event) => event ?? '') };
}

const getWebhooks = staffEndpoint(listWebhooks, {
  ...reading,
  method: 'GET',
  path,
  summary: 'Lists webhooks, with their secrets and how their last requests have ended.',
  answer: z.array(AdminWebhookEntity),
  handler: (context) => json(listWebhooks(context, {}).map(adminWebhookEntity)),
});

const getWebhook = staffEndpoint(showWebhook, {
  ...reading,
  ...ofOne,
  method: 'GET',
  summary: 'Shows a webhook.',
  answer: AdminWebhookEntity,
  handler: (context, { id: webhookId }) => json(adminWebhookEntity(showWebhook(context, { webhookId }))),
});

const postWebhook = staffEndpoint(addWebhook, {
  ...writing,
  method: 'POST',
  path,
  parameters: z.object(content),
  summary: 'Adds a webhook: an address that is told of the chosen events.',
  answer: AdminWebhookEntity,
  handler: async (context, given) => json(adminWebhookEntity(await addWebhook(context, contentOf(given)))),
});

const putWebhook = staffEndpoint(changeWebhook, {
  ...writing,
  methods: ['PUT', 'PATCH'],
  path: ofOne.path,
  parameters: z.object({ id, ...content }),
  summary: 'Changes a webhook; what is not given stays.',
  answer: AdminWebhookEntity,
  handler: async (context, { id: webhookId, ...given }) =>
    json(adminWebhookEntity(await changeWebhook(context, { webhookId, ...contentOf(given) }))),
});

const deleteWebhook = staffEndpoint(removeWebhook, {
  ...writing,
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a webhook; what waits for it is not sent.',
  answer: EmptyEntity,
  async handler(context, { id: webhookId }) {
    await removeWebhook(context, { webhookId });
    return empty();
  },
});

const postEnable = staffEndpoint(enableWebhook, {
  ...writing,
  ...ofOne,
  method: 'POST',
  path: `${ofOne.path}/enable`,
  summary: 'Enables a webhook: it is told of what happens from now on.',
  answer: AdminWebhookEntity,
  handler: async (context, { id: webhookId }) => json(adminWebhookEntity(await enableWebhook(context, { webhookId }))),
});

const postDisable = staffEndpoint(disableWebhook, {
  ...writing,
  ...ofOne,
  method: 'POST',
  path: `${ofOne.path}/disable`,
  summary: 'Disables a webhook; what waits for it is not sent.',
  answer: AdminWebhookEntity,
  handler: async (context, { id: webhookId }) => json(adminWebhookEntity(await disableWebhook(context, { webhookId }))),
});

const postRotate = staffEndpoint(rotateWebhookSecret, {
  ...writing,
  ...ofOne,
  method: 'POST',
  path: `${ofOne.path}/rotate_secret`,
  summary: 'Gives a webhook another secret, with which requests are signed from now on.',
  answer: AdminWebhookEntity,
  handler: async (context, { id: webhookId }) =>
    json(adminWebhookEntity(await rotateWebhookSecret(context, { webhookId }))),
});

const postTest = staffEndpoint(testWebhook, {
  ...writing,
  ...ofOne,
  method: 'POST',
  path: `${ofOne.path}/test`,
  summary: 'Tells a webhook of a test. How that was answered is shown with it a moment later.',
  answer: AdminWebhookEntity,
  handler: async (context, { id: webhookId }) => json(adminWebhookEntity(await testWebhook(context, { webhookId }))),
});

export const adminWebhookEndpoints = [
  getWebhooks,
  getWebhook,
  postWebhook,
  putWebhook,
  deleteWebhook,
  postEnable,
  postDisable,
  postRotate,
  postTest,
];

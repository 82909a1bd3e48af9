/** What webhooks are told of, and which permission whoever chooses it must hold (behaviour of the Mastodon API). Pure. */
export const webhookEvents = {
  'account.approved': { permission: 'manageUsers', about: 'account' },
  'account.created': { permission: 'manageUsers', about: 'account' },
  'account.updated': { permission: 'manageUsers', about: 'account' },
  'report.created': { permission: 'manageReports', about: 'report' },
  'report.updated': { permission: 'manageReports', about: 'report' },
  'status.created': { permission: 'operateMachine', about: 'status' },
  'status.updated': { permission: 'operateMachine', about: 'status' },
} as const;

export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]];

/** What a webhook is told when staff test it: nothing has happened, and it is about the webhook itself. */
export const webhookTest = 'webhook.test';
/** Whatever a webhook may be told. */
export const webhookNewsNames = [...webhookEventNames, webhookTest] as const;
export type WebhookNewsName = (typeof webhookNewsNames)[number];

/** The key of the lane of a webhook: each has its own, so that one that fails delays no other. No host has such a name. */
export function webhookLane(webhookId: bigint): string {
  return `webhook:${webhookId}`;
}

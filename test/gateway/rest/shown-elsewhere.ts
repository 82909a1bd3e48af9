/** Endpoints whose entities other tests show, because they need more than one server without mail. */

/** Succeed only where mail is sent: test/gateway/mail-delivery.test.ts, test/gateway/oauth/confirmation.test.ts. */
const withMail = [
  'POST /api/murmuration/v1/admin/announcements/:id/mail',
  'POST /api/v1/emails/confirmations',
  'POST /api/v1/accounts/:id/email_subscriptions',
];
/** Only with another server, of which a thread or an emoji is fetched: test/federation/two-servers.test.ts. */
const ofOthers = ['GET /api/v1_alpha/async_refreshes/:id', 'POST /api/murmuration/v1/admin/custom_emojis/copy'];
/** Only about an account of one: test/gateway/rest/admin/accounts.test.ts. */
const ofRemote = ['POST /api/murmuration/v1/admin/accounts/:id/refetch'];
/** Accounts that are gone, signed out, or that waited, afterwards, or that have keys: test/gateway/rest/admin/accounts.test.ts. */
const removing = [
  'POST /api/v1/admin/accounts/:id/reject',
  'DELETE /api/v1/admin/accounts/:id',
  'POST /api/v1/admin/accounts/:id/sign_out',
  'POST /api/v1/admin/accounts/:id/reset_password',
  'POST /api/v1/admin/accounts/:id/approve',
  'POST /api/murmuration/v1/admin/accounts/:id/rotate_keys',
  'POST /api/murmuration/v1/admin/accounts/:id/memorialize',
  'POST /api/murmuration/v1/admin/accounts/:id/unblock_email',
];

export const shownElsewhere: readonly string[] = [...removing, ...ofOthers, ...ofRemote, ...withMail];

/** The pages of staff, and their forms. */
import type { GatewayServices } from '../../gateway-services.ts';
import type { RawRoute } from '../../route.ts';
import { formByHand } from '../forms-by-hand.ts';
import { pageRoute } from '../page-handler.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import { accountPostRoutes } from './accounts/posts-page.ts';
import { appealRoutes } from './appeals-page.ts';
import { auditPage } from './audit-page.ts';
import { documentRoutes } from './documents-page.ts';
import { domainRoutes } from './domains/domains-page.ts';
import { accessRoutes } from './lists/access-pages.ts';
import { emojiRoutes } from './lists/emojis-page.ts';
import { adminInviteRoutes } from './lists/invites-page.ts';
import { presetRoutes } from './lists/presets-page.ts';
import { relayRoutes } from './lists/relays-page.ts';
import { roleRoutes } from './lists/roles-page.ts';
import { siteListRoutes } from './lists/site-pages.ts';
import { termsRoutes } from './lists/terms-page.ts';
import { webhookRoutes } from './lists/webhooks-page.ts';
import { measuresPage } from './measures-page.ts';
import { noteForms } from './notes-card.ts';
import { overviewPage } from './overview-page.ts';
import { pictureRoutes } from './picture-page.ts';
import { reportForms } from './reports/report-forms.ts';
import { reportPage } from './reports/report-page.ts';
import { reportsPage } from './reports/reports-page.ts';
import { serverRoutes } from './servers/server-page.ts';
import { siteSettingsRoutes } from './settings-page.ts';
import { storagePage } from './storage-page.ts';
import { trendRoutes } from './trends-page.ts';

const routes: readonly RawRoute<GatewayServices>[] = [
  pageRoute('/admin', overviewPage),
  pageRoute('/admin/reports', reportsPage),
  pageRoute('/admin/reports/:id', reportPage),
  ...reportForms,
  ...noteForms,
  pageRoute('/admin/measures', measuresPage),
  ...accountRoutes,
  ...accountPostRoutes,
  ...appealRoutes,
  ...presetRoutes,
  ...adminInviteRoutes,
  ...trendRoutes,
  ...accessRoutes,
  ...domainRoutes,
  ...serverRoutes,
  ...relayRoutes,
  ...siteSettingsRoutes,
  ...pictureRoutes,
  ...documentRoutes,
  ...termsRoutes,
  ...siteListRoutes,
  ...emojiRoutes,
  ...roleRoutes,
  ...webhookRoutes,
  pageRoute('/admin/audit', auditPage),
  pageRoute('/admin/storage', storagePage),
];

const pages = new Set(routes.flatMap(({ method, path }) => (method === 'GET' ? path : [])));

/** The page of a form: at the same path, or at the nearest above it. */
function pageOf(path: string): string {
  return pages.has(path) ? path : pageOf(path.slice(0, path.lastIndexOf('/')));
}

export const adminFormsByHand: readonly RawRoute<GatewayServices>[] = routes.flatMap(({ method, path }) =>
  method === 'POST' ? formByHand(path, pageOf(path.slice('/web'.length))) : [],
);

export const adminRoutes: readonly RawRoute<GatewayServices>[] = [...routes, ...adminFormsByHand];

/** The pages of lists, and their forms. */
import type { GatewayServices } from '../../gateway-services.ts';
import type { RawRoute } from '../../route.ts';
import { pageRoute } from '../page-handler.ts';
import { accountListsForm, accountListsPage } from './account-lists-page.ts';
import { listMemberForms, listPeoplePage } from './list-people-page.ts';
import { listTimelinePage } from './list-timeline-page.ts';
import { changeListForm, createListForm, listSettingsPage, listsPage, removeListForm } from './lists-page.ts';

export const listRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute('/lists', listsPage),
  pageRoute('/lists/:id', listTimelinePage),
  pageRoute('/lists/:id/people', listPeoplePage),
  pageRoute('/lists/:id/settings', listSettingsPage),
  pageRoute('/web/accounts/:id/lists', accountListsPage),
  createListForm,
  changeListForm,
  removeListForm,
  ...listMemberForms,
  accountListsForm,
];

/** The buttons of /settings/sessions: sign other browsers out, and revoke applications. */
import { revokeAllAuthorizations, revokeAuthorization } from '../../../operations/applications/authorizations.ts';
import {
  closeListedBrowserSession,
  closeOtherBrowserSessions,
} from '../../../operations/registration/browser-sessions.ts';
import { Failure } from '../../../runtime/errors.ts';
import { type Id, parseId } from '../../../runtime/ids.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { redirect } from '../../http/answers.ts';
import { browserOf } from '../../oauth/browser.ts';
import type { RawRoute } from '../../route.ts';
import { formRoute, type SignedInForm } from '../signed-in-form.ts';

/** Redirects to the page, which says what was done. */
function ending(path: string, done: string, end: (form: SignedInForm, secret: string, id: Id) => Promise<void>) {
  return formRoute(
    path,
    async (form, context) => {
      const id = parseId(context.pathParameters.id ?? '0');
      if (id === undefined) throw new Failure('notFound');
      await end(form, browserOf(context.services, context.request).secret, id);
      return redirect(`/settings/sessions?done=${done}`, 303);
    },
    { admitsMoved: true },
  );
}

export const signOutRoutes: readonly RawRoute<GatewayServices>[] = [
  ending('/web/sessions/close-others', 'browsers', (form, secret) => closeOtherBrowserSessions(form, { secret })),
  ending('/web/sessions/:id/close', 'browser', (form, _, id) => closeListedBrowserSession(form, { id })),
  ending('/web/authorizations/revoke-all', 'applications', (form) => revokeAllAuthorizations(form, {})),
  ending('/web/authorizations/:id/revoke', 'application', (form, _, id) => revokeAuthorization(form, { id })),
];

/** /web/find: from a handle to a profile, asked of the other server when it is not known here yet. */
import { findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import { resolveHandle } from '../../operations/accounts/resolve-handle.ts';
import { redirect } from '../http/answers.ts';
import { queryFields } from '../oauth/forms.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { handleOf, signInPath } from './parts/links.ts';

/** Only for those who are signed in: a stranger's request must not make this server ask others. */
export const findPage = pageHandler(async (visit, { request, limitsOf }) => {
  if (visit.account === undefined) return redirect(signInPath(visit), 303);
  const given = (queryFields(request.query).get('handle') ?? '').trim();
  const { services, account: visitor } = visit;
  const caller = { kind: 'account', accountId: visitor.id, limits: limitsOf(visitor.id) } as const;
  const accountId = await resolveHandle({ caller, services }, { handle: given });
  const account = accountId === undefined ? undefined : findAccount(visit.services.snapshots, accountId);
  if (account !== undefined) return redirect(`/@${handleOf(account.profile)}`, 303);
  const main = html`<section class="card plain"><h1>Nobody found</h1>
<p>Nobody is called <bdi><strong>${given}</strong></bdi> here, or their server did not answer. A name looks like <code>name@server</code>.</p></section>`;
  return siteAnswer(visit, { title: 'Nobody found', main, status: 404, isIndexed: false });
});

/** /web/find: somebody by name among the people known here, or by a whole handle, which is asked of its server. */
import { findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import { resolveHandle } from '../../operations/accounts/resolve-handle.ts';
import { searchForAccounts } from '../../operations/accounts/search-accounts.ts';
import type { AccountCaller } from '../../operations/caller.ts';
import type { Answer } from '../http/answers.ts';
import { redirect } from '../http/answers.ts';
import { queryFields } from '../oauth/forms.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { findForm } from './parts/aside.ts';
import { siteAnswer } from './parts/frame.ts';
import { type Html, html } from './parts/html.ts';
import { handleOf, signInPath } from './parts/links.ts';
import { people } from './parts/people.ts';
import type { Visit } from './visit.ts';

/** Only for those who are signed in: a stranger's request must not make this server ask others. */
export const findPage = pageHandler(async (visit, { request, limitsOf }) => {
  if (visit.account === undefined) return redirect(signInPath(visit), 303);
  const given = (queryFields(request.query).get('handle') ?? '').trim();
  if (given === '') return answer(visit, given, html``);
  const { services, account: visitor } = visit;
  const caller: AccountCaller = { kind: 'account', accountId: visitor.id, limits: limitsOf(visitor.id) };
  const accountId = await resolveHandle({ caller, services }, { handle: given });
  const account = accountId === undefined ? undefined : findAccount(services.snapshots, accountId);
  if (account !== undefined) return redirect(`/@${handleOf(account.profile)}`, 303);
  const found = await searchForAccounts(
    { caller, services },
    { words: given, resolve: false, followedOnly: false, offset: 0, limit: webLimits.pagePeople },
  );
  if (found.length > 0) return answer(visit, given, people(visit, found, `People found for ${given}`));
  const nobody = html`<div class="empty"><h2>Nobody found</h2>
<p>Nobody known here has <bdi><strong>${given}</strong></bdi> at the beginning of a name, or their server did not answer. A whole name looks like <code>name@server</code>.</p></div>`;
  return answer(visit, given, nobody, 404);
});

function answer(visit: Visit, given: string, found: Html, status = 200): Answer {
  const main = html`<h1 class="list">Find somebody</h1>
${findForm('Name or handle', given, given === '' ? html` autofocus` : undefined)}
${found}`;
  return siteAnswer(visit, { title: 'Find somebody', main, status, current: 'find', isIndexed: false });
}

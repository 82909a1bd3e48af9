/** /web/find: from a handle to a profile, asked of the other server when it is not known here yet. */
import { findAccount } from '../../actors/account/statuses/statuses.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { redirect } from '../http/answers.ts';
import { queryFields } from '../oauth/forms.ts';
import { accountIdOfHandle } from '../rest/accounts/handles.ts';
import { webLimits } from './limits.ts';
import { pageHandler } from './page-handler.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import { handleOf, signInPath } from './parts/links.ts';

const handlePattern = /^@?([A-Za-z0-9_][A-Za-z0-9_.-]*)(?:@([^\s@/]+))?$/;

/** Only for those who are signed in: a stranger's request must not make this server ask others. */
export const findPage = pageHandler(async (visit, { request }) => {
  if (visit.account === undefined) return redirect(signInPath(visit), 303);
  const given = (queryFields(request.query).get('handle') ?? '').trim();
  const accountId = await accountOf(visit.services, given);
  const account = accountId === undefined ? undefined : findAccount(visit.services.snapshots, accountId);
  if (account !== undefined) return redirect(`/@${handleOf(account.profile)}`, 303);
  const main = html`<section class="card plain"><h1>Nobody found</h1>
<p>Nobody is called <bdi><strong>${given}</strong></bdi> here, or their server did not answer. A name looks like <code>name@server</code>.</p></section>`;
  return siteAnswer(visit, { title: 'Nobody found', main, status: 404, isIndexed: false });
});

async function accountOf({ snapshots, addresses, resolver }: Services, given: string): Promise<Id | undefined> {
  const known = accountIdOfHandle(snapshots, given, addresses.host);
  const [, username, host] = handlePattern.exec(given) ?? [];
  if (known !== undefined || username === undefined || host === undefined) return known;
  if (host.toLowerCase() === addresses.host) throw new Failure('notFound');
  const handle = `${username}@${host}`.toLowerCase();
  const found = await resolver.resolveHandles([handle], webLimits.findMilliseconds);
  return found.get(handle);
}

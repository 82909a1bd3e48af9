/** /admin/invites: the invites of everybody. And the forms that end one of them, or all. */
import { endInvite, endInvites, listInvites } from '../../../../operations/administration/invites.ts';
import type { InviteView } from '../../../../operations/invites/invites.ts';
import { Failure } from '../../../../runtime/errors.ts';
import { parseId } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { redirect } from '../../../http/answers.ts';
import { queryFields } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { inviteFacts } from '../../invites/invite-facts.ts';
import { mayInvite } from '../../invites/may-invite.ts';
import { webLimits } from '../../limits.ts';
import { pageRoute } from '../../page-handler.ts';
import { idInPath, olderThanOf } from '../../visit.ts';
import { accountLink, actButton, askingButton, listOf, olderLink } from '../parts.ts';
import { sections } from '../sections.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';

const { address, permission } = sections.invites;

const page = staffPage(permission, (visit, { request }) => {
  const words = visit.words.invites;
  const by = queryFields(request.query).get('by');
  const creatorId = by === undefined ? undefined : parseId(by);
  if (by !== undefined && creatorId === undefined) throw new Failure('notFound');
  const list = listInvites(visit, { creatorId, maxId: olderThanOf(request), limit: webLimits.pagePeople });
  const rows = list.items.map((one) => row(visit, one));
  const main = html`${mayInvite(visit) && html`<p class="list"><a href="/invites">${words.newOne}</a></p>`}
${listOf(visit, words.all, rows, words.noneAtAll)}
${olderLink(visit, list, by === undefined ? '' : `by=${by}&`)}
${
  rows.length > 0 &&
  by === undefined &&
  html`<section class="card plain settings"><h2>${words.endAll}</h2>
${askingButton(`/web${address}/end`, words.endAllMore, words.endAllHint, words.endAll)}</section>`
}`;
  return staffAnswer(visit, { section: 'invites', title: words.all, main, done: doneOf(visit, request) });
});

function row(visit: StaffVisit, view: InviteView): Html {
  const words = visit.words.invites;
  const { id, invite, state, creator } = view;
  const who = invite.creatorId === undefined ? words.ofServer : accountLink(visit, creator?.profile);
  return html`<div class="line row"><span class="what">${who} <bdi class="fine" lang="en">${invite.code}</bdi></span>${
    state === 'usable' && actButton(`/web${address}/${id}/end`, words.end)
  }</div>
${inviteFacts(visit, view)}`;
}

const endOne = staffForm(`/web${address}/:id/end`, permission, async ({ visit }, context) => {
  await endInvite(visit, { inviteId: idInPath(context) });
  return redirect(`${address}?done=inviteEnded`, 303);
});

const endAll = staffForm(`/web${address}/end`, permission, async ({ visit }) => {
  await endInvites(visit, {});
  return redirect(`${address}?done=invitesEnded`, 303);
});

export const adminInviteRoutes: readonly RawRoute<GatewayServices>[] = [pageRoute(address, page), endOne, endAll];

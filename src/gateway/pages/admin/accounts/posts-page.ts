/**
 * /admin/accounts/:id/posts: what an account has written for everybody, to be deleted or marked as sensitive with a strike, also
 * where nobody has reported it. And its form: POST /web/admin/accounts/:id/posts.
 */
import { notificationLimits } from '../../../../actors/account/notifications/limits.ts';
import type { AccountView } from '../../../../actors/account/profile/profiles.queries.ts';
import { cleanText } from '../../../../actors/text/characters.ts';
import { inspectAccount } from '../../../../operations/administration/inspect-account.ts';
import type { PresentedStatus } from '../../../../operations/presentation/presented-status.ts';
import { tooLong } from '../../../../operations/refused-fields.ts';
import { deleteStatuses, markStatusesSensitive } from '../../../../operations/reports/act-on-statuses.ts';
import { listOpenStatuses } from '../../../../operations/reports/open-statuses.ts';
import { asFailure } from '../../../../runtime/errors.ts';
import { type Id, parseId } from '../../../../runtime/ids.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import { alert } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { problemSentence } from '../../failure-sentence.ts';
import { webLimits } from '../../limits.ts';
import { pageRoute } from '../../page-handler.ts';
import { plainName } from '../../parts/account.ts';
import { handleOf, statusPath } from '../../parts/links.ts';
import { contentOf, visibilityMark } from '../../parts/status.ts';
import { timeAgo } from '../../parts/time.ts';
import { idInPath, olderThanOf } from '../../visit.ts';
import { decidedSince, decisionSentence } from '../decided-meanwhile.ts';
import { checkbox, formHead, olderLink, perform, radios } from '../parts.ts';
import { sections } from '../sections.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { mayActOn, toldField } from './account-forms.ts';

const { address, permission } = sections.accounts;

/** The mildest first, with the names of their strikes. */
const acts = { mark_statuses_as_sensitive: markStatusesSensitive, delete_statuses: deleteStatuses } as const;
type Act = keyof typeof acts;
const actNames = Object.keys(acts) as Act[];

interface Draft {
  readonly action: Act | undefined;
  readonly chosen: readonly Id[];
  readonly text: string;
  readonly tells: boolean;
  /** What is wrong with the text, as a sentence. */
  readonly problem?: string | undefined;
}

const empty: Draft = { action: undefined, chosen: [], text: '', tells: true };

interface State {
  readonly maxId?: Id | undefined;
  readonly done?: string | undefined;
  readonly draft?: Draft;
  readonly refusal?: string;
}

const postsPage = staffPage(permission, (visit, context) => {
  const account = inspectAccount(visit, { accountId: idInPath(context) });
  const { request } = context;
  return postsAnswer(visit, account, { maxId: olderThanOf(request), done: doneOf(visit, request) });
});

async function postsAnswer(visit: StaffVisit, account: AccountView, state: State): Promise<Answer> {
  const { maxId, done, draft = empty, refusal } = state;
  const { accounts: words } = visit.words;
  const { profile } = account;
  const mayAct = mayActOn(visit, account);
  const page = await listOpenStatuses(visit, { accountId: profile.id, maxId, limit: webLimits.pageStatuses });
  const found = page.items.flatMap((id) => visit.services.presenter.view(id, visit.account.id, 'report') ?? []);
  const rows = found.map((view) => row(visit, view, mayAct ? draft.chosen : undefined));
  const title = words.postsOf({ account: `@${handleOf(profile)}` });
  const list =
    rows.length === 0
      ? html`<div class="empty"><p>${words.noPosts}</p></div>`
      : html`<ol class="timeline" aria-label="${title}">${rows}</ol>`;
  const main = html`<p class="list"><a href="${address}/${profile.id}">@${handleOf(profile)}</a></p>
${alert(refusal)}
${list}
${olderLink(visit, page)}
${mayAct && rows.length > 0 && form(visit, account, draft)}`;
  return staffAnswer(visit, { section: 'accounts', title, main, done, isRefused: refusal !== undefined });
}

/** `chosen`: absent where nothing can be chosen. */
function row(visit: StaffVisit, view: PresentedStatus, chosen: readonly Id[] | undefined): Html {
  const { status, author } = view;
  const label = visit.words.posts.by({ name: plainName(author.profile) });
  const choice =
    chosen !== undefined &&
    html`<label class="choice"><input type="checkbox" form="decide" name="post" value="${status.id}"${chosen.includes(status.id) && html` checked`}> <span>${visit.words.accounts.choosePost}</span></label>`;
  return html`<li class="entry" id="status-${status.id}"><article class="status" aria-label="${label}">
<p class="when fine">${visibilityMark(visit, status)} <a href="${statusPath(visit, view)}">${timeAgo(visit, status.createdAt)}</a></p>
${contentOf(visit, view, status.id)}
${choice}</article></li>`;
}

/** Posts have forms of their own, so they stand beside it. */
function form(visit: StaffVisit, { profile }: AccountView, draft: Draft): Html {
  const words = visit.words.staff.reports;
  return html`<form class="card plain settings" id="decide" method="post" action="/web${address}/${profile.id}/posts">
<h2>${words.decide}</h2>
${formHead(visit)}
${radios(words.whatToDo, 'action', actNames, words.actions, draft.action, words.actionHints)}
${toldField(visit, draft)}
${profile.remote === undefined && checkbox('tells', draft.tells, words.tells, words.tellsHint)}
<button type="submit">${words.act}</button></form>`;
}

const actForm = staffForm(`/web${address}/:id/posts`, permission, async (sent, context): Promise<Answer> => {
  const { visit, fields } = sent;
  const account = inspectAccount(visit, { accountId: idInPath(context) });
  const { id: accountId } = account.profile;
  const action = actNames.find((one) => one === fields.get('action'));
  const chosen = fields.all('post').flatMap((given) => parseId(given) ?? []);
  const text = fields.get('text') ?? '';
  const draft: Draft = { action, chosen, text, tells: fields.get('tells') !== undefined };
  const limit = notificationLimits.warningCharactersMax;
  const problem = cleanText(text).length > limit ? problemSentence(visit.words, [tooLong(limit)]) : undefined;
  if (problem !== undefined)
    return postsAnswer(visit, account, { draft: { ...draft, problem }, refusal: visit.words.problems.checkFields });
  if (action === undefined || chosen.length === 0)
    return postsAnswer(visit, account, { draft, refusal: visit.words.accounts.choosePosts });
  try {
    await perform(sent, acts[action], { statusIds: chosen, text, tells: draft.tells });
  } catch (error) {
    const failure = asFailure(error);
    const decision = decidedSince(visit, failure, undefined);
    if (failure.code !== 'validation' && failure.code !== 'notFound' && decision === undefined) throw error;
    const said = decision === undefined ? visit.words.accounts.postsGone : decisionSentence(visit, decision);
    return postsAnswer(visit, account, { draft, refusal: said });
  }
  return redirect(`${address}/${accountId}/posts?done=postsDecided`, 303);
});

export const accountPostRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(`${address}/:id/posts`, postsPage),
  actForm,
];

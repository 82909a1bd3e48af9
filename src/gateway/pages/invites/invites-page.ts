/** /invites: the visitor's invites, and the form for a new one. */
import { instanceLimits } from '../../../actors/instance/limits.ts';
import type { InviteView } from '../../../operations/invites/invites.ts';
import { endOwnInvite, listOwnInvites, makeInvite } from '../../../operations/invites/own-invites.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import type { RawContext } from '../../http/context.ts';
import { alert, type Fields, formField, hidden, queryFields } from '../../oauth/forms.ts';
import { accountContext } from '../../oauth/own-form.ts';
import type { RawRoute } from '../../route.ts';
import { problemSentence } from '../failure-sentence.ts';
import { webLimits } from '../limits.ts';
import { memberPage, pageRoute } from '../page-handler.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Refused, refusedDraft } from '../refused.ts';
import { formRoute } from '../signed-in-form.ts';
import { idInPath, type MemberVisit, olderThanOf } from '../visit.ts';
import { inviteFacts } from './invite-facts.ts';

const path = '/invites';

/** As in Mastodon. */
const usesOffered = [1, 5, 10, 25, 50, 100];
const secondsOffered = ['1800', '3600', '21600', '43200', '86400', '604800'] as const;
const secondsFirst = '604800';

interface Draft {
  readonly uses: string;
  readonly seconds: string;
  readonly autofollow: boolean;
  readonly comment: string;
}

const empty: Draft = { uses: '', seconds: secondsFirst, autofollow: false, comment: '' };

interface State {
  readonly done?: string | undefined;
  readonly refused?: Refused<Draft>;
}

function invitesAnswer(visit: MemberVisit, context: RawContext<GatewayServices>, { done, refused }: State): Answer {
  const { invites: words } = visit.words;
  const bounds = { maxId: olderThanOf(context.request), limit: webLimits.pagePeople };
  const { items, full, oldest } = listOwnInvites(accountContext(context, visit.account.id), bounds);
  const main = html`<h1 class="list">${words.title}</h1>
${done !== undefined && html`<p class="card done" role="status">${done}</p>`}
${items.length > 0 && html`<ul class="timeline lists invites" aria-label="${words.title}">${items.map((one) => entry(visit, one))}</ul>`}
${items.length === 0 && !full && html`<div class="empty"><p>${words.none}</p></div>`}
${full && html`<nav class="paging"><a rel="next" href="?max_id=${oldest}">${words.older}</a></nav>`}
${inviteForm(visit, refused)}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, current: 'settings', isIndexed: false });
}

function entry(visit: MemberVisit, view: InviteView): Html {
  const { invites: words } = visit.words;
  const { id, state, url } = view;
  const isUsable = state === 'usable';
  return html`<li class="entry">${
    isUsable
      ? html`<div class="line row"><input class="what" readonly dir="ltr" value="${url}" aria-label="${words.address}"><button type="button" class="quiet" hidden data-copy="${url}" data-copied="${words.copied}">${words.copy}</button></div>`
      : html`<p><bdi lang="en">${url}</bdi></p>`
  }
${inviteFacts(visit, view)}
${isUsable && html`<button class="quiet" form="acts" formaction="/web/invites/${id}/end">${words.end}</button>`}</li>`;
}

function inviteForm(visit: MemberVisit, refused: Refused<Draft> | undefined): Html {
  const { invites: words } = visit.words;
  const { uses, seconds, autofollow, comment } = refused?.draft ?? empty;
  const option = (value: string, label: string, chosen: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
  const problem = (field: string) => ({ problem: problemSentence(visit.words, refused?.problems[field]) });
  return html`<form class="card plain settings" method="post" action="/web/invites">
<h2>${words.newOne}</h2>
<p>${words.introduction}</p>
${alert(refused === undefined ? undefined : (refused.problem ?? visit.words.problems.checkFields))}
${hidden('form_token', visit.formToken)}
${formField({
  ...{ name: 'uses', label: words.uses, ...problem('maxUses') },
  control: (described) =>
    html`<select name="uses"${described}>${option('', words.anyNumber, uses)}${usesOffered.map((count) => option(String(count), words.people({ count }), uses))}</select>`,
})}
${formField({
  ...{ name: 'seconds', label: words.holds, ...problem('expiresIn') },
  control: (described) =>
    html`<select name="seconds"${described}>${secondsOffered.map((one) => option(one, words.times[one], seconds))}${option('', words.forEver, seconds)}</select>`,
})}
${formField({
  ...{ name: 'comment', label: words.comment, hint: words.commentHint, ...problem('comment') },
  control: (described) =>
    html`<input name="comment" dir="auto" value="${comment}" maxlength="${instanceLimits.inviteCommentCharactersMax}"${described}>`,
})}
<div class="field"><label class="choice"><input type="checkbox" name="autofollow" value="1"${autofollow && html` checked`}> <span>${words.autofollow}</span></label></div>
<button type="submit">${words.make}</button>
</form>`;
}

function draftIn(fields: Fields): Draft {
  return {
    uses: fields.get('uses') ?? '',
    seconds: fields.get('seconds') ?? '',
    autofollow: fields.get('autofollow') !== undefined,
    comment: fields.get('comment') ?? '',
  };
}

/** What is no number is refused at its field. */
function numberIn(given: string): number | undefined {
  return given === '' ? undefined : /^\d{1,9}$/.test(given) ? Number(given) : 0;
}

export const inviteRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(
    path,
    memberPage((visit, context) => {
      const done = queryFields(context.request.query).get('done') ?? '';
      const sentences: Readonly<Record<string, string>> = visit.words.invites.done;
      return invitesAnswer(visit, context, { done: Object.hasOwn(sentences, done) ? sentences[done] : undefined });
    }),
  ),
  formRoute('/web/invites', async (form, context) => {
    const draft = draftIn(form.fields);
    try {
      await makeInvite(form, {
        maxUses: numberIn(draft.uses),
        expiresIn: numberIn(draft.seconds),
        autofollow: draft.autofollow,
        comment: draft.comment,
      });
    } catch (error) {
      return invitesAnswer(form.visit, context, { refused: refusedDraft(form.visit.words, draft, error) });
    }
    return redirect(`${path}?done=made`, 303);
  }),
  formRoute('/web/invites/:id/end', async (form, context) => {
    await endOwnInvite(form, { inviteId: idInPath(context) });
    return redirect(`${path}?done=ended`, 303);
  }),
];

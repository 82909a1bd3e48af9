/**
 * /admin/domains/subscriptions: the blocklists that this server subscribes to, and the form for another. POST
 * /web/admin/domains/subscriptions subscribes to one, or says what that would do.
 */
import type { DomainListSubscription } from '../../../../actors/instance/domain-lists/domain-lists.records.ts';
import {
  listDomainLists,
  subscribeToDomainList,
  tryDomainList,
} from '../../../../operations/domain-lists/subscriptions.ts';
import type { TriedList } from '../../../../services/domain-lists.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import { alert } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { pageRoute } from '../../page-handler.ts';
import type { Refused } from '../../refused.ts';
import { formHead, listOf, perform, refusedForm } from '../parts.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { statusLines, triedCard } from './listed-parts.ts';
import { sectionTabs } from './section-tabs.ts';
import {
  newSubscription,
  type SubscriptionDraft,
  settingsOf,
  subscriptionFields,
  subscriptionIn,
} from './subscription-fields.ts';
import { subscriptionRoutes } from './subscription-page.ts';

const address = '/admin/domains/subscriptions';

interface State {
  readonly done?: string | undefined;
  readonly draft?: SubscriptionDraft;
  readonly refused?: Refused<SubscriptionDraft>;
  readonly tried?: TriedList;
}

const subscriptionsPage = staffPage('manageFederation', (visit, { request }) =>
  subscriptionsAnswer(visit, { done: doneOf(visit, request) }),
);

function subscriptionsAnswer(visit: StaffVisit, { done, draft = newSubscription, refused, tried }: State): Answer {
  const { blocklists: words, servers } = visit.words;
  const rows = listDomainLists(visit, {}).map((list) => listRow(visit, list));
  const main = html`${sectionTabs(visit, 'subscriptions')}
<p>${words.introduction}</p>
${listOf(visit, words.subscriptions, rows, words.none)}
${tried !== undefined && triedCard(visit, tried)}
<form class="card plain settings" id="new" method="post" action="/web${address}">
<h2>${words.newList}</h2>
${alert(refused?.problem)}
${formHead(visit)}
${subscriptionFields(visit, refused ?? { draft, problems: {} })}
<div class="line buttons"><button type="submit" name="how" value="try">${words.tryFirst}</button>
<button type="submit" name="how" value="subscribe">${words.subscribe}</button></div>
</form>`;
  const isRefused = refused !== undefined;
  return staffAnswer(visit, { section: 'domains', title: `${words.title} · ${servers.title}`, main, done, isRefused });
}

function listRow(visit: StaffVisit, list: DomainListSubscription): Html {
  return html`<p class="line row"><a class="what" href="${address}/${list.id}"><bdi>${list.title}</bdi></a>
<span class="badge">${visit.words.blocklists.modes[list.mode]}</span></p>
${statusLines(visit, list)}`;
}

const subscribeForm = staffForm(`/web${address}`, 'manageFederation', async (form) => {
  const { visit, fields } = form;
  const draft = subscriptionIn(fields);
  try {
    if (fields.get('how') !== 'subscribe') {
      const tried = await perform(form, tryDomainList, settingsOf(draft));
      return subscriptionsAnswer(visit, { draft, tried });
    }
    const { id } = await perform(form, subscribeToDomainList, settingsOf(draft));
    return redirect(`${address}/${id}?done=listSubscribed`, 303);
  } catch (error) {
    const refused = refusedForm(form, draft, error, visit.words.blocklists.refusedUrl);
    return subscriptionsAnswer(visit, { refused });
  }
});

export const subscriptionsRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(address, subscriptionsPage),
  subscribeForm,
  ...subscriptionRoutes,
];

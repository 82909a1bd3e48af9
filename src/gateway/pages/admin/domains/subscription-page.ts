/**
 * /admin/domains/subscriptions/:id: one subscription to a blocklist, what it suggests, and its settings. And its forms: POST
 * /web/admin/domains/subscriptions/:id, /read, /decide and /end.
 */
import { z } from 'zod';
import type {
  DomainListSubscription,
  ListedDomain,
} from '../../../../actors/instance/domain-lists/domain-lists.records.ts';
import { listEndings } from '../../../../actors/instance/domain-lists/domain-lists.records.ts';
import {
  changeDomainList,
  readDomainListNow,
  showDomainList,
  tryDomainList,
  unsubscribeFromDomainList,
} from '../../../../operations/domain-lists/subscriptions.ts';
import {
  acceptListedDomains,
  listedDomainsMax,
  listListedDomains,
  refuseListedDomains,
} from '../../../../operations/domain-lists/suggestions.ts';
import { Failure } from '../../../../runtime/errors.ts';
import type { TriedList } from '../../../../services/domain-lists.ts';
import { type Html, html } from '../../../../services/words/html.ts';
import type { GatewayServices } from '../../../gateway-services.ts';
import { type Answer, redirect } from '../../../http/answers.ts';
import { hidden } from '../../../oauth/forms.ts';
import type { RawRoute } from '../../../route.ts';
import { pageRoute } from '../../page-handler.ts';
import type { Refused } from '../../refused.ts';
import { idInPath } from '../../visit.ts';
import { actButton, askingButton, formHead, perform, refusedAlert, refusedForm } from '../parts.ts';
import { doneOf, staffAnswer } from '../staff-frame.ts';
import { staffForm, staffPage } from '../staff-visit.ts';
import type { StaffVisit } from '../visitor.ts';
import { saysOf, statusLines, triedCard } from './listed-parts.ts';
import {
  type SubscriptionDraft,
  settingsOf,
  subscriptionDraft,
  subscriptionFields,
  subscriptionIn,
} from './subscription-fields.ts';

const address = '/admin/domains/subscriptions';

interface State {
  readonly done?: string | undefined;
  readonly refused?: Refused<SubscriptionDraft>;
  readonly draft?: SubscriptionDraft;
  readonly tried?: TriedList;
}

const subscriptionPage = staffPage('manageFederation', (visit, context) =>
  subscriptionAnswer(visit, showDomainList(visit, { listId: idInPath(context) }), {
    done: doneOf(visit, context.request),
  }),
);

async function subscriptionAnswer(visit: StaffVisit, list: DomainListSubscription, state: State): Promise<Answer> {
  const words = visit.words.blocklists;
  const { done, refused, draft = subscriptionDraft(list), tried } = state;
  const path = `/web${address}/${list.id}`;
  const mayShrink = list.problem?.kind === 'shrunk' || list.problem?.kind === 'empty';
  const main = html`<section class="card plain"><p><bdi>${list.url}</bdi></p>
${statusLines(visit, list)}
<p>${actButton(`${path}/read`, words.read)}</p>
${mayShrink && askingButton(`${path}/read-shrunk`, words.readShrunk, words.readShrunkHint, words.read)}</section>
${await suggestions(visit, list)}
${tried !== undefined && triedCard(visit, tried)}
<form class="card plain settings" method="post" action="${path}">
<h2>${words.settings}</h2>
${refusedAlert(visit, refused)}
${formHead(visit, refused ?? (tried && { known: visit.caller.known }))}
${subscriptionFields(visit, refused ?? { draft, problems: {} })}
<div class="line buttons"><button type="submit" name="how" value="try">${words.tryFirst}</button>
<button type="submit" name="how" value="save">${words.save}</button></div>
</form>
<section class="card plain settings"><h2>${words.end}</h2><p>${words.endHint}</p>
${askingButton(`${path}/end/keep`, words.endKeep, words.endHint, words.endKeep)}
${askingButton(`${path}/end/remove`, words.endRemove, words.endHint, words.endRemove)}</section>`;
  const title = `${list.title} · ${words.title}`;
  return staffAnswer(visit, {
    section: 'domains',
    title,
    back: { path: address, words: words.title },
    main,
    done,
    isRefused: refused !== undefined,
    isLate: refused?.isLate,
  });
}

async function suggestions(visit: StaffVisit, list: DomainListSubscription): Promise<Html> {
  const { blocklists: words, formats } = visit.words;
  const { id: listId, suggested, deciding } = list;
  if (deciding !== undefined) {
    const sentence = deciding.isAccepted ? words.accepting : words.refusing;
    const numbers = { decided: formats.number(deciding.decided), left: formats.number(suggested) };
    return html`<section class="card plain"><h2>${words.suggestions}</h2><p role="status">${sentence(numbers)}</p></section>`;
  }
  if (suggested === 0)
    return html`<section class="card plain"><h2>${words.suggestions}</h2><p>${words.noSuggestions}</p></section>`;
  const entries = await listListedDomains(visit, { listId, state: 'suggested', limit: listedDomainsMax });
  return html`<form class="card plain" method="post" action="/web${address}/${listId}/decide">
<h2>${words.suggestions}</h2><p>${words.suggestionsHint}</p>
${suggested > entries.length && html`<p class="fine">${words.moreSuggestions({ number: formats.number(entries.length) })}</p>`}
${formHead(visit)}${hidden('seen_at', visit.now.toString())}
<div class="scrolls" tabindex="0" role="region" aria-label="${words.suggestions}"><table class="wraps"><thead><tr><th scope="col">${visit.words.servers.domain}</th><th scope="col">${words.says}</th><th scope="col">${words.ends}</th></tr></thead>
<tbody>${entries.map((entry) => suggestionRow(visit, entry))}</tbody></table></div>
<div class="line buttons"><button type="submit" name="how" value="accept">${words.accept}</button>
<button type="submit" name="how" value="refuse" class="quiet">${words.refuse}</button></div>
<div class="line buttons"><button type="submit" name="how" value="accept-all" class="quiet">${words.acceptAll}</button>
<button type="submit" name="how" value="refuse-all" class="quiet">${words.refuseAll}</button></div>
</form>`;
}

function suggestionRow(visit: StaffVisit, { domain, listed, isGone, follows = 0 }: ListedDomain): Html {
  const { blocklists: words, formats } = visit.words;
  return html`<tr><th scope="row"><label class="choice"><input type="checkbox" name="domain" value="${domain}"> <bdi>${domain}</bdi></label></th>
<td>${isGone === true ? words.gone : saysOf(visit, listed)}</td><td>${formats.number(follows)}</td></tr>`;
}

const changeForm = staffForm(`/web${address}/:id`, 'manageFederation', async (form, context) => {
  const { visit, fields } = form;
  const list = showDomainList(visit, { listId: idInPath(context) });
  const draft = subscriptionIn(fields);
  const settings = { listId: list.id, ...settingsOf(draft) };
  try {
    if (fields.get('how') !== 'save')
      return subscriptionAnswer(visit, list, { draft, tried: await perform(form, tryDomainList, settings) });
    await perform(form, changeDomainList, settings);
    return redirect(`${address}/${list.id}?done=listChanged`, 303);
  } catch (error) {
    const refused = refusedForm(form, draft, error, visit.words.blocklists.refusedUrl);
    return subscriptionAnswer(visit, list, { refused });
  }
});

const readForms = (['read', 'read-shrunk'] as const).map((how) =>
  staffForm(`/web${address}/:id/${how}`, 'manageFederation', async ({ visit }, context) => {
    const listId = idInPath(context);
    await readDomainListNow(visit, { listId, mayShrink: how === 'read-shrunk' });
    return redirect(`${address}/${listId}?done=listRead`, 303);
  }),
);

/** Milliseconds since 1970. */
const seenTime = z.string().regex(/^\d+$/).pipe(z.coerce.number());

const listDecisions = ['accept', 'accept-all', 'refuse', 'refuse-all'] as const;

const decideForm = staffForm(`/web${address}/:id/decide`, 'manageFederation', async ({ visit, fields }, context) => {
  const listId = idInPath(context);
  const how = listDecisions.find((one) => one === fields.get('how'));
  const seenAt = seenTime.safeParse(fields.get('seen_at')).data;
  // What has come since the page was made is not what was decided about.
  if (how === undefined || (how.endsWith('-all') && seenAt === undefined)) throw new Failure('badRequest');
  const chosen = how.endsWith('-all') ? { all: true, seenAt } : { domains: fields.all('domain') };
  if (how.startsWith('accept')) await acceptListedDomains(visit, { listId, ...chosen });
  else await refuseListedDomains(visit, { listId, ...chosen });
  return redirect(`${address}/${listId}?done=listDecided`, 303);
});

const endForms = listEndings.map((rules) =>
  staffForm(`/web${address}/:id/end/${rules}`, 'manageFederation', async ({ visit }, context) => {
    await unsubscribeFromDomainList(visit, { listId: idInPath(context), rules });
    return redirect(`${address}?done=listEnded`, 303);
  }),
);

export const subscriptionRoutes: readonly RawRoute<GatewayServices>[] = [
  pageRoute(`${address}/:id`, subscriptionPage),
  changeForm,
  ...readForms,
  decideForm,
  ...endForms,
];

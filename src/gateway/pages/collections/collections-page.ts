/**
 * /collections: the collections that the visitor curates, and those that include the visitor. /collections/ID: one of
 * them. Forms are handled in collection-forms.ts.
 */

import { collectionsOf, collectionsWith } from '../../../actors/account/collections/collections.queries.ts';
import { collectionLimits } from '../../../actors/account/collections/limits.ts';
import { shownCollection } from '../../../operations/collections/known-collection.ts';
import type { ShownCollection } from '../../../operations/presentation/collections.ts';
import { Failure } from '../../../runtime/errors.ts';
import { parseId } from '../../../runtime/ids.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { alert, formField, hidden } from '../../oauth/forms.ts';
import { problemSentence } from '../failure-sentence.ts';
import { webLimits } from '../limits.ts';
import { pageHandler } from '../page-handler.ts';
import { byline, plainName } from '../parts/account.ts';
import { collectionList } from '../parts/collections.ts';
import { siteAnswer } from '../parts/frame.ts';
import { elsewhere, signInPath } from '../parts/links.ts';
import { alternateHeaders } from '../parts/meta.ts';
import { relationButtons } from '../parts/relations.ts';
import { storedHtml } from '../parts/stored.ts';
import type { Refused } from '../refused.ts';
import { type MemberVisit, memberOf, type Visit } from '../visit.ts';

/** The input of the form of a collection. */
interface CollectionDraft {
  readonly name: string;
  readonly description: string;
  readonly tagName: string;
}

export type RefusedCollection = Refused<CollectionDraft>;

export const collectionsPage = pageHandler((visit) => {
  const member = memberOf(visit);
  return member === undefined ? redirect(signInPath(visit), 303) : collectionsAnswer(member);
});

export function collectionsAnswer(visit: MemberVisit, refused?: RefusedCollection): Answer {
  const { services, account } = visit;
  const words = visit.words.lists.collections;
  const own = collectionsOf(services.snapshots, account.id);
  const others = collectionsWith(services.snapshots, account.id, { offset: 0, limit: webLimits.pagePeople });
  const main = html`<h1 class="list">${words.title}</h1>
<p class="hint">${words.introduction}</p>
${own.length > 0 && collectionList(own, words.yours)}
${own.length < collectionLimits.perLocalAccountMax && writingForm(visit, { action: '/web/collections', title: words.newOne, button: words.create, refused })}
${others.length > 0 && html`<h2 class="list">${words.withYou}</h2>${collectionList(others, words.youAreIn)}`}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: words.title, main, status, current: 'profile', isIndexed: false });
}

interface WritingForm {
  readonly action: string;
  readonly title: string;
  /** The text of its button. */
  readonly button: string;
  readonly draft?: CollectionDraft;
  readonly refused: RefusedCollection | undefined;
  /** Further fields. */
  readonly options?: Html;
}

function writingForm(visit: MemberVisit, { action, title, button, draft, refused, options }: WritingForm): Html {
  const { name = '', description = '', tagName = '' } = refused?.draft ?? draft ?? {};
  const problemOf = (field: keyof CollectionDraft) => problemSentence(visit.words, refused?.problems[field]);
  const { nameCharactersMax, descriptionCharactersMax } = collectionLimits;
  const words = visit.words.lists.collections;
  return html`<form class="card plain settings" method="post" action="${action}"><h2>${title}</h2>
${alert(refused && (refused.problem ?? visit.words.problems.checkFields))}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'name',
  label: words.name,
  hint: words.upTo({ limit: nameCharactersMax }),
  problem: problemOf('name'),
  control: (described) => html`<input name="name" dir="auto" value="${name}" required${described}>`,
})}
${formField({
  name: 'description',
  label: words.description,
  hint: words.upTo({ limit: descriptionCharactersMax }),
  problem: problemOf('description'),
  control: (described) => html`<input name="description" dir="auto" value="${description}"${described}>`,
})}
${formField({
  name: 'tag_name',
  label: words.hashtag,
  problem: problemOf('tagName'),
  control: (described) => html`<input name="tag_name" dir="auto" value="${tagName}" autocapitalize="none"${described}>`,
})}
${options}
<button type="submit">${button}</button>
</form>`;
}

export const collectionPage = pageHandler((visit, { pathParameters }) => {
  const collectionId = parseId(pathParameters.id ?? '');
  if (collectionId === undefined) throw new Failure('notFound');
  return collectionAnswer(visit, shownCollection(visit.services, collectionId, visit.account?.id));
});

export function collectionAnswer(
  visit: Visit,
  shown: ShownCollection,
  refused: { readonly text?: RefusedCollection; readonly account?: string } = {},
): Answer {
  const { collection, owner } = shown;
  const { addresses } = visit.services;
  const words = visit.words.lists.collections;
  const member = memberOf(visit);
  const isOwn = member?.account.id === collection.accountId;
  const activityId = collection.uri ?? addresses.collectionPage(collection.id);
  const main = html`<section class="card collection"><h1 dir="auto">${collection.name}</h1>
${description(visit, shown)}
${collection.tag !== undefined && html`<p><a href="${addresses.tag(collection.tag.name)}" dir="auto">#${collection.tag.display}</a></p>`}
${byline(visit, owner.profile)}
${elsewhere(collection.url) !== undefined && html`<p class="fine"><a href="${elsewhere(collection.url)}" rel="nofollow noopener">${words.elsewhere}</a></p>`}
${member !== undefined && !isOwn && html`<p><a class="button quiet" href="/web/accounts/${collection.accountId}/report?collection=${collection.id}">${words.report}</a></p>`}
</section>
${members(visit, shown, isOwn)}
${isOwn && member !== undefined && curating(member, shown, refused)}`;
  return siteAnswer(visit, {
    title: `${collection.name}: ${plainName(owner.profile)}`,
    main,
    status: refused.text === undefined && refused.account === undefined ? 200 : 422,
    isIndexed: false,
    headers: alternateHeaders(activityId),
  });
}

function description(visit: Visit, { collection }: ShownCollection): Html | undefined {
  if (collection.description === '') return undefined;
  return collection.uri === undefined
    ? html`<p dir="auto">${collection.description}</p>`
    : html`<div class="content" dir="auto">${storedHtml(visit, collection.description)}</div>`;
}

function members(visit: Visit, { collection, items }: ShownCollection, isOwn: boolean): Html {
  const member = memberOf(visit);
  const words = visit.words.lists.collections;
  if (items.length === 0) return html`<div class="empty"><p>${words.nobody}</p></div>`;
  const rows = items.map(({ id, account, state }) => {
    const path = `/web/collections/${collection.id}/items/${id}`;
    const isSelf = member?.account.id === account.profile.id;
    return html`<li class="entry person">${byline(visit, account.profile)}${state === 'pending' && html` <span class="badge">${words.asked}</span>`}${
      member !== undefined && !isSelf && relationButtons(member, account.profile)
    }${isOwn && html`<button class="quiet" form="acts" formaction="${path}/remove">${words.takeOut}</button>`}${
      isSelf && !isOwn && html`<button class="quiet" form="acts" formaction="${path}/leave">${words.leave}</button>`
    }</li>`;
  });
  return html`<ul class="timeline people" aria-label="${words.accounts}">${rows}</ul>`;
}

function curating(
  visit: MemberVisit,
  { collection, items }: ShownCollection,
  { text, account }: { readonly text?: RefusedCollection; readonly account?: string },
): Html {
  const path = `/web/collections/${collection.id}`;
  const words = visit.words.lists.collections;
  const kept = { name: collection.name, description: collection.description, tagName: collection.tag?.display ?? '' };
  const options = html`<label class="choice"><input type="checkbox" name="discoverable" value="1"${collection.discoverable && html` checked`}> <span>${words.onProfile}</span></label>
<label class="choice"><input type="checkbox" name="sensitive" value="1"${collection.sensitive && html` checked`}> <span>${words.sensitive}</span></label>`;
  return html`${
    items.length < collectionLimits.itemsPerLocalCollectionMax &&
    html`<form class="card plain settings" method="post" action="${path}/items"><h2>${words.add}</h2>
${alert(account)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'handle',
  label: words.account,
  hint: words.accountHint,
  control: (described) => html`<input name="handle" autocapitalize="none" spellcheck="false" required${described}>`,
})}
<button type="submit">${words.addConfirm}</button>
</form>`
  }
${writingForm(visit, { action: `${path}/edit`, title: words.text, button: words.save, draft: kept, refused: text, options })}
<form class="card plain settings" method="post" action="${path}/remove"><h2>${words.remove}</h2>
${hidden('form_token', visit.formToken)}
<button type="submit" class="quiet">${words.removeConfirm}</button>
</form>`;
}

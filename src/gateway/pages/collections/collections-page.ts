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
import { type Answer, redirect } from '../../http/answers.ts';
import { alert, formField, hidden } from '../../oauth/forms.ts';
import { webLimits } from '../limits.ts';
import { pageHandler } from '../page-handler.ts';
import { byline, plainName } from '../parts/account.ts';
import { collectionList } from '../parts/collections.ts';
import { siteAnswer } from '../parts/frame.ts';
import { type Html, html } from '../parts/html.ts';
import { elsewhere, signInPath } from '../parts/links.ts';
import { alternateHeaders } from '../parts/meta.ts';
import { relationButtons } from '../parts/relations.ts';
import { storedHtml } from '../parts/stored.ts';
import { type MemberVisit, memberOf, type Visit } from '../visit.ts';

/** Refused input of a form, and why. */
export interface RefusedCollection {
  readonly name: string;
  readonly description: string;
  readonly tagName: string;
  readonly problem: string;
}

export const collectionsPage = pageHandler((visit) => {
  const member = memberOf(visit);
  return member === undefined ? redirect(signInPath(visit), 303) : collectionsAnswer(member);
});

export function collectionsAnswer(visit: MemberVisit, refused?: RefusedCollection): Answer {
  const { services, account } = visit;
  const own = collectionsOf(services.snapshots, account.id);
  const others = collectionsWith(services.snapshots, account.id, { offset: 0, limit: webLimits.pagePeople });
  const main = html`<h1 class="list">Collections</h1>
<p class="hint">Accounts that you recommend. Everybody can see a collection; who is in it has agreed, and can leave.</p>
${own.length > 0 && collectionList(own, 'Your collections')}
${own.length < collectionLimits.perLocalAccountMax && writingForm(visit, { action: '/web/collections', title: 'A new collection', button: 'Create', draft: refused })}
${others.length > 0 && html`<h2 class="list">Collections with you</h2>${collectionList(others, 'Collections that you are in')}`}`;
  const status = refused === undefined ? 200 : 422;
  return siteAnswer(visit, { title: 'Collections', main, status, current: 'profile', isIndexed: false });
}

interface WritingForm {
  readonly action: string;
  readonly title: string;
  /** The text of its button. */
  readonly button: string;
  readonly draft: Partial<RefusedCollection> | undefined;
  /** Further fields. */
  readonly options?: Html;
}

function writingForm(visit: MemberVisit, { action, title, button, draft = {}, options }: WritingForm): Html {
  const { name, description, tagName, problem } = draft;
  const { nameCharactersMax, descriptionCharactersMax } = collectionLimits;
  return html`<form class="card plain settings" method="post" action="${action}"><h2>${title}</h2>
${alert(problem)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'name',
  label: 'Name',
  hint: `Up to ${nameCharactersMax} characters.`,
  control: (described) => html`<input name="name" dir="auto" value="${name ?? ''}" required${described}>`,
})}
${formField({
  name: 'description',
  label: 'Description',
  hint: `Up to ${descriptionCharactersMax} characters.`,
  control: (described) => html`<input name="description" dir="auto" value="${description ?? ''}"${described}>`,
})}
${formField({
  name: 'tag_name',
  label: 'Hashtag',
  control: (described) =>
    html`<input name="tag_name" dir="auto" value="${tagName ?? ''}" autocapitalize="none"${described}>`,
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
  const member = memberOf(visit);
  const isOwn = member?.account.id === collection.accountId;
  const activityId = collection.uri ?? addresses.collectionPage(collection.id);
  const main = html`<section class="card collection"><h1 dir="auto">${collection.name}</h1>
${description(shown)}
${collection.tag !== undefined && html`<p><a href="${addresses.tag(collection.tag.name)}" dir="auto">#${collection.tag.display}</a></p>`}
${byline(visit, owner.profile)}
${elsewhere(collection.url) !== undefined && html`<p class="fine"><a href="${elsewhere(collection.url)}" rel="nofollow noopener">On its own server</a></p>`}
${member !== undefined && !isOwn && html`<p class="fine"><a href="/web/accounts/${collection.accountId}/report?collection=${collection.id}">Report this collection</a></p>`}
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

function description({ collection }: ShownCollection): Html | undefined {
  if (collection.description === '') return undefined;
  return collection.uri === undefined
    ? html`<p dir="auto">${collection.description}</p>`
    : html`<div class="content" dir="auto">${storedHtml(collection.description, [])}</div>`;
}

function members(visit: Visit, { collection, items }: ShownCollection, isOwn: boolean): Html {
  const member = memberOf(visit);
  if (items.length === 0) return html`<div class="empty"><p>Nobody is in it yet.</p></div>`;
  const rows = items.map(({ id, account, state }) => {
    const path = `/web/collections/${collection.id}/items/${id}`;
    const isSelf = member?.account.id === account.profile.id;
    return html`<li class="entry person">${byline(visit, account.profile)}${state === 'pending' && html` <span class="badge">Asked</span>`}${
      member !== undefined && !isSelf && relationButtons(member, account.profile)
    }${isOwn && html`<button class="quiet" form="acts" formaction="${path}/remove">Remove</button>`}${
      isSelf && !isOwn && html`<button class="quiet" form="acts" formaction="${path}/leave">Leave</button>`
    }</li>`;
  });
  return html`<ul class="timeline people" aria-label="Accounts in this collection">${rows}</ul>`;
}

function curating(
  visit: MemberVisit,
  { collection, items }: ShownCollection,
  { text, account }: { readonly text?: RefusedCollection; readonly account?: string },
): Html {
  const path = `/web/collections/${collection.id}`;
  const kept = { name: collection.name, description: collection.description, tagName: collection.tag?.display ?? '' };
  const options = html`<label class="choice"><input type="checkbox" name="discoverable" value="1"${collection.discoverable && html` checked`}> <span>Show it on my profile</span></label>
<label class="choice"><input type="checkbox" name="sensitive" value="1"${collection.sensitive && html` checked`}> <span>Sensitive</span></label>`;
  return html`${
    items.length < collectionLimits.itemsPerLocalCollectionMax &&
    html`<form class="card plain settings" method="post" action="${path}/items"><h2>Add an account</h2>
${alert(account)}
${hidden('form_token', visit.formToken)}
${formField({
  name: 'handle',
  label: 'Account',
  hint: 'As in name@example.org. Only accounts that can be found by others can be added.',
  control: (described) => html`<input name="handle" autocapitalize="none" spellcheck="false" required${described}>`,
})}
<button type="submit">Add</button>
</form>`
  }
${writingForm(visit, { action: `${path}/edit`, title: 'Name and description', button: 'Save', draft: text ?? kept, options })}
<form class="card plain settings" method="post" action="${path}/remove"><h2>Remove this collection</h2>
${hidden('form_token', visit.formToken)}
<button type="submit" class="quiet">Remove it</button>
</form>`;
}

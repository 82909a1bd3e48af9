/** The featured hashtags in the settings, and the form for another. */
import { featuredTagsOf, proposedTags } from '../../../actors/account/featured-tags/featured-tags.queries.ts';
import { featuredTagLimits } from '../../../actors/account/featured-tags/limits.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { formField, hidden } from '../../oauth/forms.ts';
import type { MemberVisit } from '../visit.ts';

/** A tag that was refused, as written, and why. */
export interface RefusedTag {
  readonly name: string;
  readonly problem: string;
}

export function featuredTagsForm(visit: MemberVisit, refused: RefusedTag | undefined): Html {
  const { services, account, formToken } = visit;
  const words = visit.words.settings.tags;
  const { perLocalAccountMax } = featuredTagLimits;
  const tags = featuredTagsOf(services.snapshots, account.id);
  const rows = tags.map(
    ({ id, display, statuses }) =>
      html`<li><p><strong dir="auto">#${display}</strong><span class="fine">${words.posts({ count: statuses })}</span></p><button class="quiet" form="acts" formaction="/web/featured-tags/${id}/remove">${words.remove}</button></li>`,
  );
  return html`<form class="card plain settings" method="post" action="/web/featured-tags" id="featured-tags">
<h2>${words.title}</h2>
<p>${words.introduction}</p>
${hidden('form_token', formToken)}
${tags.length > 0 && html`<ul class="rows">${rows}</ul>`}
${
  tags.length < perLocalAccountMax &&
  html`${formField({
    name: 'name',
    label: words.another,
    hint: words.anotherHint({ limit: perLocalAccountMax }),
    problem: refused?.problem,
    control: (described) =>
      html`<input name="name" dir="auto" value="${refused?.name ?? ''}" autocapitalize="none" required${described}>`,
  })}<button type="submit">${words.add}</button>${proposals(visit)}`
}
</form>`;
}

/** What the visitor has written about most often of late. */
function proposals({ services, account, words: { settings } }: MemberVisit): Html | false {
  const { proposed, featureOne } = settings.tags;
  const names = proposedTags(services.snapshots, account.id);
  const buttons = names.map(
    (name) =>
      html`<button class="quiet" form="acts" formaction="/web/tags/${encodeURIComponent(name)}/feature" aria-label="${featureOne({ hashtag: `#${name}` })}" dir="auto">#${name}</button> `,
  );
  return names.length > 0 && html`<p class="fine">${proposed}</p><p class="proposed">${buttons}</p>`;
}

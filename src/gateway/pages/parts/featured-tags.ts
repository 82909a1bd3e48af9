/** The featured hashtags in the settings, and the form for another. */
import { featuredTagsOf } from '../../../actors/account/featured-tags/featured-tags.queries.ts';
import { featuredTagLimits } from '../../../actors/account/featured-tags/limits.ts';
import { formField, hidden } from '../../oauth/forms.ts';
import type { MemberVisit } from '../visit.ts';
import { type Html, html } from './html.ts';

/** A tag that was refused, as written, and why. */
export interface RefusedTag {
  readonly name: string;
  readonly problem: string;
}

export function featuredTagsForm(visit: MemberVisit, refused: RefusedTag | undefined): Html {
  const { services, account, formToken } = visit;
  const { perLocalAccountMax } = featuredTagLimits;
  const tags = featuredTagsOf(services.snapshots, account.id);
  const rows = tags.map(
    ({ id, display, statuses }) =>
      html`<li><p><strong dir="auto">#${display}</strong><span class="fine">${statuses} ${statuses === 1 ? 'post' : 'posts'}</span></p><button class="quiet" form="acts" formaction="/web/featured-tags/${id}/remove">Remove</button></li>`,
  );
  return html`<form class="card plain settings" method="post" action="/web/featured-tags" id="featured-tags">
<h2>Featured hashtags</h2>
<p>They stand on your profile, and lead to your public posts with them.</p>
${hidden('form_token', formToken)}
${tags.length > 0 && html`<ul class="rows">${rows}</ul>`}
${
  tags.length < perLocalAccountMax &&
  html`${formField({
    name: 'name',
    label: 'Another hashtag',
    hint: `Up to ${perLocalAccountMax} of them.`,
    problem: refused?.problem,
    control: (described) =>
      html`<input name="name" dir="auto" value="${refused?.name ?? ''}" autocapitalize="none" required${described}>`,
  })}<button type="submit">Feature it</button>`
}
</form>`;
}

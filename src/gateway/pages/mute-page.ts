/** GET /web/accounts/:id/mute: for how long an account is muted, and whether its notifications are. The form is a button of actions.ts. */
import { knownAccount } from '../../operations/accounts/known-account.ts';
import { Failure } from '../../runtime/errors.ts';
import { html } from '../../services/words/html.ts';
import { formField, hidden } from '../oauth/forms.ts';
import { memberPage } from './page-handler.ts';
import { byline } from './parts/account.ts';
import { siteAnswer } from './parts/frame.ts';
import { handleOf } from './parts/links.ts';
import { relationTo } from './parts/relations.ts';
import { idInPath } from './visit.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** As in Mastodon, and longer ones. */
const durations = [5 * minute, 30 * minute, hour, 6 * hour, day, 3 * day, 7 * day, 30 * day, 90 * day];

export const mutePage = memberPage((visit, context) => {
  const { profile } = knownAccount(visit.services, idInPath(context));
  if (profile.id === visit.account.id) throw new Failure('notFound');
  const words = visit.words.people.muting;
  const account = `@${handleOf(profile)}`;
  const title = visit.words.people.mute({ account });
  const shows = relationTo(visit, profile.id).mute?.hideNotifications === false;
  const main = html`<h1 class="list">${title}</h1>
<div class="card person">${byline(visit, profile)}</div>
<form class="card plain settings" method="post" action="/web/accounts/${profile.id}/mute">
${hidden('form_token', visit.formToken)}
${hidden('return_to', `/${account}`)}
<p>${words.introduction}</p>
${formField({
  name: 'duration',
  label: words.duration,
  control: (described) =>
    html`<select name="duration"${described}><option value="0">${words.forever}</option>${durations.map((seconds) => html`<option value="${seconds}">${visit.words.formats.duration(1_000 * seconds)}</option>`)}</select>`,
})}
<div class="field"><label class="choice"><input type="checkbox" name="notifies" value="1"${shows && html` checked`}> <span>${words.notifies}</span></label></div>
<button type="submit">${words.confirm}</button>
</form>`;
  return siteAnswer(visit, { title, main, isIndexed: false });
});

/** /settings/preferences: what a new post of the visitor is like by default, and what is covered when they read. */
import { Visibility, visibilities } from '../../../actors/account/account.records.ts';
import { readingOf } from '../../../actors/account/profile/logins.queries.ts';
import { ExpandedMedia } from '../../../actors/account/profile/profile.records.ts';
import { isLanguage } from '../../../operations/languages.ts';
import { changeProfile } from '../../../operations/profile/change-profile.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { redirect } from '../../http/answers.ts';
import { formField, hidden, queryFields } from '../../oauth/forms.ts';
import { memberPage } from '../page-handler.ts';
import { choices } from '../parts/form-fields.ts';
import { siteAnswer } from '../parts/frame.ts';
import { namedLanguages } from '../parts/language-choice.ts';
import { formRoute } from '../signed-in-form.ts';
import type { MemberVisit } from '../visit.ts';
import { settingsHead } from './settings-head.ts';

export const preferencesPage = memberPage((visit, { request }) => {
  const words = visit.words.settings.preferences;
  const { login } = visit.account;
  const { expandMedia, expandSpoilers, autoplayGifs } = readingOf(login);
  const main = html`${settingsHead(visit, words.title)}
${queryFields(request.query).get('done') !== undefined && html`<p class="card done" role="status">${words.done}</p>`}
<form class="card plain settings" method="post" action="/web/settings/preferences">
${hidden('form_token', visit.formToken)}
<h2>${words.writing}</h2>
${formField({
  name: 'privacy',
  label: words.privacy,
  hint: words.privacyHint,
  control: (described) => privacySelect(visit, login.defaultPrivacy, described),
})}
${formField({
  name: 'language',
  label: words.language,
  control: (described) => languageSelect(visit, login.defaultLanguage ?? '', described),
})}
${choice('sensitive', login.defaultSensitive, words.sensitive, words.sensitiveHint)}
<h2>${words.reading}</h2>
${choices(words.media, 'expand_media', 'radio', words.expandMedia, [expandMedia])}
${choice('expand_spoilers', expandSpoilers, words.spoilers, words.spoilersHint)}
${choice('autoplay_gifs', autoplayGifs, words.gifs, words.gifsHint)}
<button type="submit">${words.save}</button>
</form>`;
  return siteAnswer(visit, { title: words.title, main, current: 'settings', isIndexed: false });
});

function privacySelect({ words: { writing } }: MemberVisit, chosen: Visibility, described: Html): Html {
  const options = visibilities.map(
    (one) =>
      html`<option value="${one}"${one === chosen && html` selected`}>${writing.visibilityAndReach[one]}</option>`,
  );
  return html`<select name="privacy"${described}>${options}</select>`;
}

function languageSelect(visit: MemberVisit, chosen: string, described: Html): Html {
  const { languageOfPages } = visit.words.settings.preferences;
  const named = namedLanguages(visit);
  const isListed = chosen === '' || named.some(({ code }) => code === chosen);
  const all = isListed ? named : [{ code: chosen, name: chosen }, ...named];
  const options = all.map(
    ({ code, name }) => html`<option value="${code}"${code === chosen && html` selected`}>${name}</option>`,
  );
  return html`<select name="language"${described}><option value="">${languageOfPages}</option>${options}</select>`;
}

function choice(name: string, isOn: boolean, label: string, hint: string): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="1"${isOn && html` checked`} aria-describedby="${name}-hint"> <span>${label}</span></label>
<p class="fine" id="${name}-hint">${hint}</p></div>`;
}

/** What is none of the choices leaves things as they are. */
export const changePreferencesForm = formRoute('/web/settings/preferences', async (form) => {
  const { fields } = form;
  const language = fields.get('language') ?? '';
  await changeProfile(form, {
    defaultPrivacy: Visibility.safeParse(fields.get('privacy')).data,
    defaultLanguage: language === '' || isLanguage(language) ? language : undefined,
    defaultSensitive: fields.get('sensitive') !== undefined,
    expandMedia: ExpandedMedia.safeParse(fields.get('expand_media')).data,
    expandSpoilers: fields.get('expand_spoilers') !== undefined,
    autoplayGifs: fields.get('autoplay_gifs') !== undefined,
  });
  return redirect('/settings/preferences?done=1', 303);
});

/** GET and POST /web/accounts/:id/languages: in which languages the posts of a followed account come to the home. */
import { knownAccount } from '../../operations/accounts/known-account.ts';
import { followAccount } from '../../operations/relationships/follow-account.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { html } from '../../services/words/html.ts';
import { redirect } from '../http/answers.ts';
import { formField, hidden } from '../oauth/forms.ts';
import { memberPage } from './page-handler.ts';
import { byline } from './parts/account.ts';
import { siteAnswer } from './parts/frame.ts';
import { namedLanguages, usualLanguage } from './parts/language-choice.ts';
import { handleOf } from './parts/links.ts';
import { relationTo } from './parts/relations.ts';
import { formRoute } from './signed-in-form.ts';
import { idInPath, type MemberVisit } from './visit.ts';

/** Throws Failure notFound for an account that the visitor does not follow. */
function followed(visit: MemberVisit, accountId: Id) {
  const { profile } = knownAccount(visit.services, accountId);
  const { follow } = relationTo(visit, profile.id);
  if (follow?.state !== 'accepted') throw new Failure('notFound');
  return { profile, languages: follow.languages ?? [] };
}

/** Offered at first: what was chosen, and what the visitor reads. Any other one is in a list below. */
export const followLanguagesPage = memberPage((visit, context) => {
  const { profile, languages } = followed(visit, idInPath(context));
  const words = visit.words.people.languages;
  const account = `@${handleOf(profile)}`;
  const title = words.title({ account });
  const known = namedLanguages(visit);
  const nameOf = (code: string) => known.find((one) => one.code === code)?.name ?? code;
  const near = [...new Set([...languages, usualLanguage(visit.account), visit.language].flatMap((one) => one ?? []))];
  const main = html`<h1 class="list">${title}</h1>
<div class="card person">${byline(visit, profile)}</div>
<form class="card plain settings" method="post" action="/web/accounts/${profile.id}/languages">
${hidden('form_token', visit.formToken)}
<p>${words.introduction}</p>
<fieldset class="field"><legend>${words.question}</legend>${near.map(
    (code) =>
      html`<label class="choice"><input type="checkbox" name="languages" value="${code}"${languages.includes(code) && html` checked`}> <span>${nameOf(code)}</span></label>`,
  )}</fieldset>
${formField({
  name: 'further',
  label: words.further,
  hint: words.furtherHint,
  control: (described) =>
    html`<select name="languages"${described}><option value="">${words.noFurther}</option>${known.filter(({ code }) => !near.includes(code)).map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</select>`,
})}
<button type="submit">${words.save}</button>
</form>`;
  return siteAnswer(visit, { title, main, isIndexed: false });
});

export const followLanguagesForm = formRoute('/web/accounts/:id/languages', async (form, context) => {
  const { profile } = followed(form.visit, idInPath(context));
  const languages = form.fields.all('languages').filter((code) => code !== '');
  await followAccount(form, { accountId: profile.id, options: { languages } });
  return redirect(`/@${handleOf(profile)}`, 303);
});

/** /admin/settings/picture: the picture of the server, which its front page and previews of links to it show. */
import { readFile } from 'node:fs/promises';
import { changeThumbnail } from '../../../operations/administration/change-thumbnail.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { profileLimits } from '../../../operations/profile/limits.ts';
import { validationFailure } from '../../../runtime/errors.ts';
import { pictureForms } from '../../../services/media/picture-forms.ts';
import { html } from '../../../services/words/html.ts';
import { type Answer, redirect } from '../../http/answers.ts';
import { serverPicture } from '../../server-picture.ts';
import { pageRoute } from '../page-handler.ts';
import type { Refused } from '../refused.ts';
import { textField } from './lists/text-field.ts';
import { aboutInput, actButton, formHead, perform, pictureField, refusedAlert, refusedForm } from './parts.ts';
import { settingsPages, settingsTabs } from './settings-tabs.ts';
import { doneOf, staffAnswer } from './staff-frame.ts';
import { staffForm, staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

const address = settingsPages.picture;
const permission = 'manageSettings';
const { bytesMax } = pictureForms.thumbnail;

interface State {
  readonly done?: string | undefined;
  readonly refused?: Refused<{ readonly description: string }>;
}

function pictureAnswer(visit: StaffVisit, { done, refused }: State): Answer {
  const words = visit.words.keeping.picture;
  const { services } = visit;
  const settings = settingsOf(services);
  const { url } = serverPicture(settings, services.addresses, '');
  // The built-in one is decoration.
  const { thumbnail, thumbnailDescription = '' } = settings;
  const limit = profileLimits.pictureDescriptionCharactersMax;
  const main = html`${settingsTabs(visit, 'picture')}
<section class="card plain settings">
<h2>${words.heading}</h2>
<p>${words.hint}</p>
<img class="own" src="${url}" alt="${thumbnailDescription}" width="1200" height="630">
${thumbnail !== undefined && html`<div class="line buttons">${actButton(`/web${address}/remove`, words.remove)}</div>`}
</section>
<form class="card plain settings" method="post" action="/web${address}" enctype="multipart/form-data">
<h2>${words.title}</h2>
${refusedAlert(visit, refused)}
${formHead(visit, refused)}
${textField({ name: 'description', label: words.description, hint: words.descriptionHint, value: refused?.draft.description ?? thumbnailDescription, limit })}
${pictureField(words.file, words.fileHint({ limit: bytesMax / 1_048_576 }))}
<button type="submit">${words.button}</button>
</form>`;
  const isRefused = refused !== undefined;
  const isLate = refused?.isLate;
  return staffAnswer(visit, { section: 'settings', title: words.heading, main, done, isRefused, isLate });
}

const page = staffPage(permission, (visit, { request }) => pictureAnswer(visit, { done: doneOf(visit, request) }));

const form = staffForm(
  `/web${address}`,
  permission,
  async (given) => {
    const description = given.fields.get('description') ?? '';
    const [file] = given.fields.files('picture');
    try {
      if (file === undefined) throw validationFailure('There is no file.');
      const picture = await readFile(file.path, 'base64');
      await perform(given, changeThumbnail, { picture, description });
    } catch (error) {
      const { visit } = given;
      const sentence = visit.words.keeping.picture.refused;
      return pictureAnswer(visit, { refused: refusedForm(given, { description }, aboutInput(error), sentence) });
    }
    return redirect(`${address}?done=picture`, 303);
  },
  { files: { picture: { bytesMax } } },
);

const removal = staffForm(`/web${address}/remove`, permission, async ({ visit }) => {
  await changeThumbnail(visit, {});
  return redirect(`${address}?done=pictureRemoved`, 303);
});

export const pictureRoutes = [pageRoute(address, page), form, removal];

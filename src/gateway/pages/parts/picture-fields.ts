/**
 * The form for the pictures of a profile. Without a script the middle of a picture is taken; the script shows what will be
 * seen, and lets its owner move and enlarge it.
 */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { pictureOrDefault } from '../../../services/media/shown-pictures.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { alert, formField, hidden } from '../../oauth/forms.ts';
import type { MemberVisit } from '../visit.ts';

/** What was refused, and why, as a sentence. */
export interface RefusedPictures {
  readonly sentence: string;
  readonly descriptions: Readonly<Record<PictureName, string>>;
}

const pictureNames = ['avatar', 'header'] as const;
export type PictureName = (typeof pictureNames)[number];

/** What everybody sees of each, in pixels. */
const sizes = { avatar: { width: 400, height: 400 }, header: { width: 1_500, height: 500 } } as const;

export function picturesForm(visit: MemberVisit, profile: Profile, refused?: RefusedPictures): Html {
  const words = visit.words.settings.pictures;
  return html`<form class="card plain settings pictures" id="pictures" method="post" action="/web/settings/pictures" enctype="multipart/form-data">
<h2>${words.title}</h2>
${alert(refused?.sentence)}
${hidden('form_token', visit.formToken)}
${pictureNames.map((name) => pictureFields(visit, profile, name, refused?.descriptions[name]))}
<button type="submit">${words.save}</button>
</form>`;
}

function pictureFields(visit: MemberVisit, profile: Profile, name: PictureName, written: string | undefined): Html {
  const words = visit.words.settings.pictures;
  const { width, height } = sizes[name];
  const isOwn = profile[name] !== undefined;
  const description = written ?? profile[`${name}Description`] ?? '';
  const slider = (part: 'zoom' | 'across' | 'down', range: Html) =>
    html`<label>${words[part]} <input type="range" data-part="${part}" ${range}></label>`;
  return html`<fieldset class="field of-${name}"><legend>${words[name]}</legend>
<img src="${pictureOrDefault(visit.services.addresses, profile, name).still}" alt="${words.present}" width="${width}" height="${height}">
<div class="crop" hidden><canvas width="${width}" height="${height}" role="img" aria-label="${words.shown}"></canvas>
<div class="sliders">${slider('zoom', html`min="1" max="4" step="0.05" value="1"`)}${slider('across', html`min="0" max="1" step="0.01" value="0.5"`)}${slider('down', html`min="0" max="1" step="0.01" value="0.5"`)}</div></div>
${formField({
  name,
  label: words.choose,
  hint: words.hints[name],
  control: (described) =>
    html`<input type="file" name="${name}" accept="image/jpeg,image/png,image/gif,image/webp"${described}>`,
})}
${formField({
  name: `${name}_description`,
  label: words.description,
  hint: words.descriptionHint,
  control: (described) =>
    html`<textarea name="${name}_description" dir="auto" rows="2"${described}>${description}</textarea>`,
})}
${isOwn && html`<label class="choice"><input type="checkbox" name="remove_${name}" value="1"> <span>${words.remove}</span></label>`}
</fieldset>`;
}

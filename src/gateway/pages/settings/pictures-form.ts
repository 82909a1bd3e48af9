/** Handles the form of the pictures of a profile: POST /web/settings/pictures. */
import { findAccount } from '../../../actors/account/profile/profiles.queries.ts';
import { changeProfile } from '../../../operations/profile/change-profile.ts';
import { FieldsRefused } from '../../../operations/refused-fields.ts';
import { asFailure } from '../../../runtime/errors.ts';
import { pictureForms } from '../../../services/media/picture-forms.ts';
import { redirect } from '../../http/answers.ts';
import type { Fields } from '../../oauth/forms.ts';
import { refusalSentence } from '../failure-sentence.ts';
import type { PictureName } from '../parts/picture-fields.ts';
import { formRoute } from '../signed-in-form.ts';
import { settingsAnswer } from './settings-page.ts';

const files = {
  avatar: { bytesMax: pictureForms.avatar.bytesMax },
  header: { bytesMax: pictureForms.header.bytesMax },
};

export const changePicturesForm = formRoute(
  '/web/settings/pictures',
  async (form) => {
    const { fields, visit, account, services } = form;
    const present = findAccount(services.snapshots, account.id)?.profile ?? account.profile;
    const avatarFile = fileIn(fields, 'avatar');
    const headerFile = fileIn(fields, 'header');
    const written = { avatar: fields.get('avatar_description') ?? '', header: fields.get('header_description') ?? '' };
    // A picture that there is not has no description.
    const described = (name: PictureName, file: string | null | undefined) =>
      file === null || (file === undefined && present[name] === undefined) ? undefined : written[name];
    try {
      await changeProfile(form, {
        avatarFile,
        headerFile,
        avatarDescription: described('avatar', avatarFile),
        headerDescription: described('header', headerFile),
      });
      return redirect('/settings?done=pictures', 303);
    } catch (error) {
      const failure = asFailure(error);
      if (!(failure instanceof FieldsRefused) && failure.code !== 'mediaRefused') throw failure;
      const sentence =
        failure instanceof FieldsRefused
          ? refusalSentence(visit.words, failure)
          : visit.words.settings.pictures.unreadable;
      return settingsAnswer(visit, { refusedPictures: { sentence, descriptions: written } });
    }
  },
  { files },
);

/** The path of a new picture; null removes the present one. */
function fileIn(fields: Fields, name: PictureName): string | null | undefined {
  const [file] = fields.files(name);
  if (file !== undefined) return file.path;
  return fields.get(`remove_${name}`) === undefined ? undefined : null;
}

/** Handles the forms of /settings: POST /web/settings/profile, /web/settings/password and /web/settings/email. */
import { findLocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { changeProfile } from '../../../operations/profile/change-profile.ts';
import { profileLimits } from '../../../operations/profile/limits.ts';
import { type FieldProblem, FieldsRefused, invalid } from '../../../operations/refused-fields.ts';
import { changePassword } from '../../../operations/registration/change-password.ts';
import { changeEmail } from '../../../operations/registration/confirm-email.ts';
import { asFailure, Failure } from '../../../runtime/errors.ts';
import { redirect } from '../../http/answers.ts';
import { openSession } from '../../oauth/browser-session.ts';
import type { Fields } from '../../oauth/forms.ts';
import { quotePolicyIn } from '../parts/quote-policy.ts';
import { replyPolicyIn } from '../parts/reply-policy.ts';
import { formRoute } from '../signed-in-form.ts';
import { type ProfileDraft, settingsAnswer } from './settings-page.ts';

export const changeProfileForm = formRoute('/web/settings/profile', async (form) => {
  const draft = draftIn(form.fields);
  try {
    const { fields, attributionDomains } = draft;
    await changeProfile(form, { ...draft, fields: [...fields], attributionDomains: [...attributionDomains] });
    return redirect('/settings?done=profile', 303);
  } catch (error) {
    if (!(error instanceof FieldsRefused)) throw error;
    return settingsAnswer(form.visit, { draft, profileProblems: error.problems });
  }
});

function draftIn(fields: Fields): ProfileDraft {
  const text = (name: string) => fields.get(name) ?? '';
  return {
    displayName: text('display_name'),
    note: text('note'),
    fields: Array.from({ length: profileLimits.fieldsMax }, (_, index) => ({
      name: text(`field_name_${index}`),
      value: text(`field_value_${index}`),
    })),
    locked: fields.get('locked') !== undefined,
    bot: fields.get('bot') !== undefined,
    discoverable: fields.get('discoverable') !== undefined,
    indexable: fields.get('indexable') !== undefined,
    hideCollections: fields.get('hide_collections') !== undefined,
    showMedia: fields.get('hide_media') === undefined,
    showMediaReplies: fields.get('hide_media_replies') === undefined,
    showFeatured: fields.get('hide_featured') === undefined,
    attributionDomains: text('attribution_domains').split(/\s+/),
    warnsOfMissingDescriptions: fields.get('warns_of_missing_descriptions') !== undefined,
    locale: fields.get('locale'),
    defaultQuotePolicy: quotePolicyIn(fields, 'default_quote_policy'),
    defaultReplyPolicy: replyPolicyIn(fields, 'default_reply_policy'),
  };
}

/** For the field of the current password. */
const notThePassword: FieldProblem = { ...invalid, reason: 'notThePassword' };

export const changePasswordForm = formRoute(
  '/web/settings/password',
  async (form, context) => {
    const { fields, visit, account, services } = form;
    try {
      await changePassword(form, { present: fields.get('present') ?? '', wanted: fields.get('wanted') ?? '' });
    } catch (error) {
      if (error instanceof FieldsRefused) return settingsAnswer(visit, { passwordProblems: error.problems });
      const failure = asFailure(error);
      if (failure.code !== 'credentialsInvalid') throw failure;
      return settingsAnswer(visit, { passwordProblems: { present: [notThePassword] } });
    }
    // This browser's session was opened with the old password too: it gets a new one.
    const changed = findLocalAccount(services.snapshots, account.id);
    if (changed === undefined) throw new Failure('outcomeUnknown');
    return redirect('/settings?done=password', 303, await openSession(context, changed));
  },
  { admitsMoved: true },
);

export const changeEmailForm = formRoute(
  '/web/settings/email',
  async (form) => {
    const { fields, visit } = form;
    const wish = { email: fields.get('email') ?? '', password: fields.get('email_password') ?? '' };
    try {
      await changeEmail(form, wish);
      return redirect('/settings?done=email', 303);
    } catch (error) {
      if (error instanceof FieldsRefused) return settingsAnswer(visit, { emailProblems: error.problems });
      const failure = asFailure(error);
      if (failure.code !== 'credentialsInvalid') throw failure;
      return settingsAnswer(visit, { emailProblems: { password: [notThePassword] } });
    }
  },
  { admitsMoved: true },
);

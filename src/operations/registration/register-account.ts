/** Sign-up, where registrations are open. */
import { z } from 'zod';
import { identifier } from '../../actors/account/account.records.ts';
import { staffNotifiedOf } from '../../actors/account/profile/staff.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { settingsOf } from '../instance/settings.ts';
import { registrationModeFor, usableInvite } from '../invites/invites.ts';
import { operation } from '../operation.ts';
import { FieldsRefused, taken } from '../refused-fields.ts';
import { admissionOfAddress, countAttempt } from './admission.ts';
import { newAccount, registerName } from './new-account.ts';
import { hashPassword } from './passwords.ts';
import { sourceOf } from './sign-in-source.ts';
import { checkSignUp } from './sign-up-problems.ts';

export const registerAccount = operation({
  input: z.object({
    username: z.string(),
    email: z.string(),
    password: z.string(),
    /** Agreement to the rules of this server. */
    agreement: z.boolean(),
    locale: z.string().optional(),
    reason: z.string().optional(),
    userAgent: z.string().optional(),
    /** The application that asks for it. */
    applicationId: identifier.optional(),
    /** With one that lets people in registrations may be closed. */
    inviteCode: z.string().optional(),
  }),
  permission: 'signUp',
  limit: 'signUp',
  /**
   * Throws Failure forbidden where registrations are closed, also to its address, FieldsRefused, and what `usableInvite`
   * throws.
   */
  async run(context, wish): Promise<{ accountId: Id }> {
    const { services } = context;
    const { registrations, reasonRequired } = settingsOf(services);
    const admission = admissionOfAddress(services, context.caller);
    const invite = wish.inviteCode === undefined ? undefined : usableInvite(services, wish.inviteCode);
    const mode = registrationModeFor(registrations, invite);
    if (mode === 'closed' || admission === 'refused') throw new Failure('forbidden');
    await countAttempt(context, wish.email);
    const needsReason = reasonRequired && mode === 'approval';
    const needsApproval = checkSignUp(services, wish, { needsReason }) || admission === 'approval';
    const passwordHash = await hashPassword(wish.password);
    const { username, email, locale = 'en', reason, applicationId } = wish;
    const login = { username, email, passwordHash, locale, reason, createdAt: services.now(), applicationId };
    const staffIds = staffNotifiedOf(services.snapshots, 'admin.sign_up');
    const account = {
      ...newAccount(login, needsApproval ? 'approval' : mode, services.mail.isOn),
      staffIds,
      source: sourceOf(context, 'registration', wish.userAgent),
    };
    const registration = await registerName(context, account, invite?.id);
    if ('taken' in registration) throw new FieldsRefused({ [registration.taken]: [taken] });
    return registration;
  },
});

/** Mails about the address, the password, and whatever else lets somebody in. */
import { mailOf } from '../../../actors/account/mail/mail.queries.ts';
import { twoFactorOf } from '../../../actors/account/two-factor/two-factor.queries.ts';
import { ownerOfEmail } from '../../../actors/directory/directory.queries.ts';
import { tokensOfAccount } from '../../../actors/session/session.queries.ts';
import { browserName } from '../../../services/browser-name.ts';
import { handleOf, type Tellers, type Telling } from './telling.ts';

type Kinds =
  | ('passwordChanged' | 'passwordReset' | 'confirmation' | 'emailChanged' | 'welcome')
  | ('secured' | 'signedIn' | 'applicationAuthorized');

export const securityContents: Tellers<Kinds> = {
  passwordChanged: (told) => {
    const { words, handle, mail } = told;
    const { passwordChanged, notYou } = words.mails;
    return {
      subject: passwordChanged.subject,
      paragraphs: [passwordChanged.told({ account: handle, time: words.formats.exactTime(mail.at) }), notYou.password],
      action: newPassword(told),
    };
  },
  secured: (told, { change, name = '' }) => {
    const { words, handle, mail } = told;
    const { subject, told: happened } = words.mails.secured[change];
    return {
      subject,
      paragraphs: [
        happened({ account: handle, name, time: words.formats.exactTime(mail.at) }),
        words.mails.notYou.password,
      ],
      action: newPassword(told),
    };
  },
  signedIn: (told, { address, browser: userAgent }) => {
    // A second factor shows that it was the owner.
    if (twoFactorOf(told.snapshots, told.account.id) !== undefined) return undefined;
    const browser = browserName(userAgent);
    const { words, handle, mail } = told;
    const { signedIn, notYou } = words.mails;
    return {
      subject: signedIn.subject,
      paragraphs: [
        signedIn.told({ account: handle, time: words.formats.exactTime(mail.at) }),
        signedIn.from({ address }),
        ...(browser === '' ? [] : [signedIn.browser({ browser })]),
        notYou.password,
      ],
      action: newPassword(told),
    };
  },
  applicationAuthorized: ({ words, handle, mail, snapshots, account, addresses }, { tokenId }) => {
    const listed = tokensOfAccount(snapshots, account.id);
    const place = listed.findIndex((one) => one.tokenId === tokenId);
    const found = listed[place];
    if (found === undefined) return undefined;
    // Who signs in again with an application that he uses is not told; the newest tokens come first.
    if (listed.slice(place + 1).some(({ token }) => token.clientId === found.token.clientId)) return undefined;
    const { subject, told, action, notYou } = words.mails.applicationAuthorized;
    const name = found.application?.name ?? words.settings.applications.unknown;
    const scopes = found.token.scopes.join(', ');
    return {
      subject,
      paragraphs: [told({ name, account: handle, time: words.formats.exactTime(mail.at), scopes }), notYou],
      action: { label: action, address: `${addresses.origin}/settings#applications` },
    };
  },
  confirmation: (told, { requestId }) => {
    const { words, handle, snapshots, addresses, account, mail, link } = told;
    if (mailOf(snapshots, account.id).confirmation?.requestId !== requestId) return undefined;
    const { confirmation } = words.mails;
    const { domain: server } = addresses;
    const ownerId = ownerOfEmail(snapshots, mail.email);
    const own = ownerId === undefined || ownerId === account.id ? undefined : handleOf(told, ownerId);
    if (own !== undefined)
      return {
        subject: confirmation.known({ server }),
        paragraphs: [confirmation.toldOwner({ account: handle, own })],
        action: newPassword(told),
      };
    return {
      subject: confirmation.subject({ server }),
      paragraphs: [confirmation.told({ account: handle })],
      action: { label: confirmation.action, address: link('/auth/confirmation', 'confirm an address', requestId) },
      remarks: [confirmation.notYou],
    };
  },
  welcome: ({ words, handle, addresses }) => {
    const { subject, told, next, action, settings } = words.mails.welcome;
    return {
      subject: subject({ server: addresses.domain }),
      paragraphs: [told({ account: handle }), next],
      action: { label: action, address: `${addresses.origin}/explore` },
      remarks: [settings({ address: `${addresses.origin}/settings` })],
    };
  },
  emailChanged: ({ words, handle, addresses }) => {
    const { subject, told, notYou } = words.mails.emailChanged;
    return { subject, paragraphs: [told({ account: handle }), notYou({ server: addresses.domain })] };
  },
  passwordReset: ({ words, handle, snapshots, account, link }, { requestId }) => {
    // The link of an earlier request, or of one that was used, would lead nowhere.
    if (mailOf(snapshots, account.id).reset?.requestId !== requestId) return undefined;
    const { subject, told, action, notYou } = words.mails.passwordReset;
    return {
      subject,
      paragraphs: [told({ account: handle })],
      action: { label: action, address: link('/auth/password/reset', 'set a new password', requestId) },
      remarks: [notYou],
    };
  },
};

function newPassword({ words, addresses }: Telling) {
  return { label: words.mails.notYou.setPassword, address: `${addresses.origin}/auth/password/new` };
}

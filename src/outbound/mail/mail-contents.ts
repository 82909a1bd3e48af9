/** What each kind of mail says. Read when it is sent: undefined where there is nothing to tell any more. */
import { mailOf } from '../../actors/account/mail/mail.queries.ts';
import type { MailContent, MailedDecision, MailKind } from '../../actors/account/mail/mail.records.ts';
import { findLogin, type LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import { findProfile } from '../../actors/account/remote/federation.queries.ts';
import { findReport } from '../../actors/account/reports/reports.queries.ts';
import { ownerOfEmail } from '../../actors/directory/directory.queries.ts';
import type { LoggedMail } from '../../actors/partition/mails.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { MailTokenPurpose } from '../../services/mail-tokens.ts';
import type { Words } from '../../services/words/languages.ts';
import type { MailText } from './mail-text.ts';

export interface Telling {
  readonly snapshots: Snapshots;
  readonly addresses: Addresses;
  readonly words: Words;
  /** Whom it tells. */
  readonly account: LocalAccount;
  /** `@alice@social.example`. */
  readonly handle: string;
  readonly mail: LoggedMail;
  /** The address of a page, with a token for the account and this request. */
  link(path: string, purpose: MailTokenPurpose, requestId: Id): string;
}

type Teller<Kind extends MailKind> = (
  told: Telling,
  content: Extract<MailContent, { kind: Kind }>,
) => MailText | undefined;

const tellers: { readonly [Kind in MailKind]: Teller<Kind> } = {
  passwordChanged: ({ words, handle, mail, addresses }) => {
    const { passwordChanged, notYou } = words.mails;
    return {
      subject: passwordChanged.subject,
      paragraphs: [passwordChanged.told({ account: handle, time: words.formats.exactTime(mail.at) }), notYou.password],
      action: { label: notYou.setPassword, address: `${addresses.origin}/auth/password/new` },
    };
  },
  confirmation: (told, { requestId }) => {
    const { words, handle, snapshots, addresses, account, mail, link } = told;
    if (mailOf(snapshots, account.id).confirmation?.requestId !== requestId) return undefined;
    const { confirmation, notYou } = words.mails;
    const { domain: server, origin } = addresses;
    const ownerId = ownerOfEmail(snapshots, mail.email);
    const own = ownerId === undefined || ownerId === account.id ? undefined : handleOf(told, ownerId);
    if (own !== undefined)
      return {
        subject: confirmation.known({ server }),
        paragraphs: [confirmation.toldOwner({ account: handle, own })],
        action: { label: notYou.setPassword, address: `${origin}/auth/password/new` },
      };
    return {
      subject: confirmation.subject({ server }),
      paragraphs: [confirmation.told({ account: handle })],
      action: { label: confirmation.action, address: link('/auth/confirmation', 'confirm an address', requestId) },
      remarks: [confirmation.notYou],
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
  report: (told, { reportId, reporterId }) => {
    const report = findReport(told.snapshots, reportId);
    const reported = report && handleOf(told, report.targetId);
    if (report === undefined || report.resolvedAt !== undefined || reported === undefined) return undefined;
    const { words } = told;
    const { subject, told: happened, lines } = words.mails.report;
    const category = words.notifications.reportCategory[report.category];
    const reporter = handleOf(told, reporterId) ?? told.addresses.domain;
    return {
      subject,
      paragraphs: [
        happened({ reporter, reported, category }),
        ...(report.statusIds.length === 0 ? [] : [lines({ count: report.statusIds.length })]),
      ],
      quoted: report.comment === '' ? undefined : report.comment,
      action: { label: words.mails.notifications, address: `${told.addresses.origin}/notifications` },
    };
  },
  signUp: (told, { accountId }) => {
    const login = findLogin(told.snapshots, accountId);
    const account = handleOf(told, accountId);
    if (login === undefined || login.approved || account === undefined) return undefined;
    const { subject, told: happened } = told.words.mails.signUp;
    return {
      subject,
      paragraphs: [happened({ account, server: told.addresses.domain })],
      quoted: login.reason,
      action: { label: told.words.mails.notifications, address: `${told.addresses.origin}/notifications` },
    };
  },
  warned: ({ words, handle, addresses }, { text, action = 'none' }) => {
    const { subject, told } = words.mails.warned[action];
    const isShut = action === 'suspend' || action === 'disable';
    return {
      subject,
      paragraphs: [told({ server: addresses.domain, account: handle })],
      ...(text !== '' && { quoted: text }),
      ...(isShut
        ? { remarks: [words.mails.decided.contact] }
        : { action: { label: words.mails.notifications, address: `${addresses.origin}/notifications` } }),
    };
  },
  decided: ({ words, handle, addresses }, { decision }) => {
    const { contact, signIn, ...decisions } = words.mails.decided;
    const { subject, told } = decisions[decision];
    const isGood = goodDecisions.has(decision);
    return {
      subject,
      paragraphs: [told({ server: addresses.domain, account: handle }), ...(isGood ? [] : [contact])],
      action: isGood ? { label: signIn, address: `${addresses.origin}/auth/sign_in` } : undefined,
    };
  },
};

const goodDecisions: ReadonlySet<MailedDecision> = new Set(['approved', 'enabled', 'unsuspended', 'unlimited']);

/** `@bob@there.example`; undefined for an account that is gone. */
function handleOf({ snapshots, addresses }: Telling, accountId: Id): string | undefined {
  const profile = findProfile(snapshots, accountId);
  return profile && `@${profile.username}@${profile.domain ?? addresses.domain}`;
}

export function tell(told: Telling, content: MailContent): MailText | undefined {
  // The table has a row for each kind, with the content of that kind.
  const teller = tellers[content.kind] as Teller<MailKind>;
  return teller(told, content);
}

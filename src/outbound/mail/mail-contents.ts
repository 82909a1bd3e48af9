/** What each kind of mail says. Read when it is sent: undefined where there is nothing to tell any more. */
import type { MailContent, MailKind } from '../../actors/account/mail/mail.records.ts';
import type { LocalAccount } from '../../actors/account/profile/logins.queries.ts';
import type { LoggedMail } from '../../actors/partition/mails.queries.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../services/addresses.ts';
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
};

export function tell(told: Telling, content: MailContent): MailText | undefined {
  // The table has a row for each kind, with the content of that kind.
  const teller = tellers[content.kind] as Teller<MailKind>;
  return teller(told, content);
}

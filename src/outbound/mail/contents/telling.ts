/** What the words of a mail are made of. */
import type { MailContent, MailKind } from '../../../actors/account/mail/mail.records.ts';
import type { LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { findProfile } from '../../../actors/account/remote/federation.queries.ts';
import type { LoggedMail } from '../../../actors/partition/mails.queries.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Snapshots } from '../../../runtime/storage/snapshots.ts';
import type { Addresses } from '../../../services/addresses.ts';
import type { MailTokenPurpose } from '../../../services/mail-tokens.ts';
import type { Words } from '../../../services/words/languages.ts';
import type { MailText } from '../mail-text.ts';

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

export type Teller<Kind extends MailKind> = (
  told: Telling,
  content: Extract<MailContent, { kind: Kind }>,
) => MailText | undefined;

export type Tellers<Kinds extends MailKind> = { readonly [Kind in Kinds]: Teller<Kind> };

/** `@bob@there.example`; undefined for an account that is gone. */
export function handleOf({ snapshots, addresses }: Telling, accountId: Id): string | undefined {
  const profile = findProfile(snapshots, accountId);
  return profile && `@${profile.username}@${profile.domain ?? addresses.domain}`;
}

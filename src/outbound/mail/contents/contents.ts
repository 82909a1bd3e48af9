/** What each kind of mail says. Read when it is sent: undefined where there is nothing to tell any more. */
import type { MailContent, MailKind } from '../../../actors/account/mail/mail.records.ts';
import type { MailText } from '../mail-text.ts';
import { leavingContents } from './leaving-contents.ts';
import { moderationContents } from './moderation-contents.ts';
import { notificationContents } from './notification-contents.ts';
import { securityContents } from './security-contents.ts';
import { staffContents } from './staff-contents.ts';
import { subscriptionContents } from './subscription-contents.ts';
import type { Teller, Tellers, Telling } from './telling.ts';

const tellers: Tellers<MailKind> = {
  ...securityContents,
  ...staffContents,
  ...moderationContents,
  ...notificationContents,
  ...leavingContents,
  ...subscriptionContents,
};

export function tell(told: Telling, content: MailContent): MailText | undefined {
  // The table has a row for each kind, with the content of that kind.
  const teller = tellers[content.kind] as Teller<MailKind>;
  return teller(told, content);
}

/** A notification, as a mail: who has done what, with the text of the post that it is about. */
import { findNotification } from '../../../actors/account/notifications/notifications.queries.ts';
import type { Notification } from '../../../actors/account/notifications/notifications.records.ts';
import { loginStateOf } from '../../../actors/account/profile/logins.queries.ts';
import { findProfile, findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { type Status, threadOf } from '../../../actors/account/statuses/statuses.records.ts';
import { toPlainText } from '../../../actors/text/plain.ts';
import { shorten } from '../../../actors/text/shorten.ts';
import { pushFacts } from '../../web-push/push-payload.ts';
import { handleOf, type Tellers, type Telling } from './telling.ts';

const quotedCharactersMax = 1_000;
/** HTML that is read for what is quoted. */
const htmlCharactersMax = 20_000;

export const notificationContents: Tellers<'notification'> = {
  notification: (told, { notificationId }) => {
    const { snapshots, addresses, account, words } = told;
    const found = findNotification(snapshots, account.id, notificationId);
    if (found === undefined || found.isFiltered || loginStateOf(account) !== 'active') return undefined;
    const { notification } = found;
    const facts = pushFacts(snapshots, addresses, {
      ...{ notificationId, notification, words },
      ...{ ownId: account.id, locale: account.login.locale },
    });
    const by = handleOf(told, notification.accountId);
    if (facts === undefined || by === undefined) return undefined;
    const { statusId } = notification;
    const status = statusId === undefined ? undefined : findStatusRecord(snapshots, statusId);
    return {
      subject: facts.title,
      paragraphs: [`${facts.title} (${by}).`],
      quoted: status && quotedOf(status),
      action: actionOf(told, notification, status),
      threadId: status && threadOf(status),
    };
  },
};

/** A content warning stands for the text. */
function quotedOf({ spoilerText, content }: Status): string | undefined {
  const text = spoilerText || toPlainText(content.slice(0, htmlCharactersMax));
  return text === '' ? undefined : shorten(text, quotedCharactersMax);
}

/** A page of this server: who follows the link is signed in, or is asked to. */
function actionOf(
  { words, addresses, snapshots }: Telling,
  { type, accountId }: Notification,
  status: Status | undefined,
) {
  const { look } = words.mails;
  if (type === 'follow_request') return { label: look.requests, address: `${addresses.origin}/follow_requests` };
  const profile = findProfile(snapshots, status?.accountId ?? accountId);
  if (profile === undefined) return undefined;
  const account = `${addresses.origin}/@${profile.username}${profile.domain === undefined ? '' : `@${profile.domain}`}`;
  return status === undefined
    ? { label: look.profile, address: account }
    : { label: look.post, address: `${account}/${status.id}` };
}

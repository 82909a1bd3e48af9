/** Mails to those who have subscribed to an account: its posts, and whether they want them. */
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import type { Status } from '../../../actors/account/statuses/statuses.records.ts';
import { isMailed } from '../../../actors/policy/mailed-posts.ts';
import { toPlainText } from '../../../actors/text/plain.ts';
import { shorten } from '../../../actors/text/shorten.ts';
import type { MailItem } from '../mail-text.ts';
import type { Tellers, Telling } from './telling.ts';

const postCharactersMax = 2_000;
/** HTML that is read for it. */
const htmlCharactersMax = 20_000;
export const subscriptionPaths = {
  confirm: '/email_subscriptions/confirmation',
  end: '/email_subscriptions/unsubscribe',
} as const;

export const subscriptionContents: Tellers<'posts' | 'subscriptionConfirmation'> = {
  posts: (told, { statusIds }) => {
    const { snapshots, words, addresses, account } = told;
    const posts = statusIds
      .flatMap((id) => findStatusRecord(snapshots, id) ?? [])
      .filter((status) => status.accountId === account.id && isMailed(status));
    if (posts.length === 0) return undefined;
    const { subject, title, action } = words.mails.newPosts;
    return {
      subject: subject({ name: nameOf(told), count: posts.length }),
      paragraphs: [],
      listed: { title: title({ name: nameOf(told) }), items: posts.map((post) => itemOf(told, post)) },
      action: { label: action, address: addresses.profile(account.profile.username) },
    };
  },
  subscriptionConfirmation: (told, { subscriptionId }) => {
    const { words, handle, addresses, link } = told;
    const { subject, told: asked, action, notYou } = words.mails.subscribing;
    return {
      subject: subject({ name: nameOf(told) }),
      paragraphs: [asked({ account: handle, server: addresses.domain })],
      action: { label: action, address: link(subscriptionPaths.confirm, 'confirm a subscription', subscriptionId) },
      remarks: [notYou],
    };
  },
};

function nameOf({ account: { profile } }: Telling): string {
  return profile.displayName.trim() === '' ? profile.username : profile.displayName;
}

/** A content warning stands for the text; without any, the time of the post does. */
function itemOf({ words, addresses, account }: Telling, status: Status): MailItem {
  const { spoilerText, content, id, createdAt } = status;
  const text = shorten(spoilerText || toPlainText(content.slice(0, htmlCharactersMax)), postCharactersMax);
  const address = addresses.statusPage(account.profile.username, id);
  return { text: text === '' ? words.formats.exactTime(createdAt) : text, address };
}

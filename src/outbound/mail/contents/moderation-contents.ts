/** Mails that tell an account what staff have decided about it. */
import type { MailedDecision } from '../../../actors/account/mail/mail.records.ts';
import { findWarning } from '../../../actors/account/moderation/warnings.queries.ts';
import { notificationLimits } from '../../../actors/account/notifications/limits.ts';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { toPlainLine } from '../../../actors/text/plain.ts';
import { shorten } from '../../../actors/text/shorten.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { MailText } from '../mail-text.ts';
import type { Tellers, Telling } from './telling.ts';

const goodDecisions: ReadonlySet<MailedDecision> = new Set(['approved', 'enabled', 'unsuspended', 'unlimited']);
/** Posts of a decision that are named; the others are counted. */
const namedPostsMax = 10;
const excerptCharactersMax = 80;
const appealDays = notificationLimits.appealMilliseconds / (24 * 60 * 60 * 1_000);

export const moderationContents: Tellers<'warned' | 'decided' | 'appealDecided'> = {
  warned: (told, { text, action = 'none', strikeId }) => {
    const { words, handle, addresses, snapshots, account } = told;
    const { subject, told: happened } = words.mails.warned[action];
    const isShut = action === 'suspend' || action === 'disable';
    const strike = strikeId === undefined ? undefined : findWarning(snapshots, account.id, strikeId);
    const page = strike === undefined ? '/notifications' : `/disputes/strikes/${strike.id}`;
    return {
      subject,
      paragraphs: [happened({ server: addresses.domain, account: handle })],
      ...(text !== '' && { quoted: text }),
      ...postsOf(told, strike?.statusIds ?? []),
      ...(isShut
        ? { remarks: [words.mails.decided.contact] }
        : {
            action: { label: words.mails.decision, address: `${addresses.origin}${page}` },
            ...(strike !== undefined && { remarks: [words.mails.howToAppeal({ days: appealDays })] }),
          }),
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
  appealDecided: ({ words, handle, snapshots, account, addresses }, { strikeId, isApproved }) => {
    const strike = findWarning(snapshots, account.id, strikeId);
    if (strike === undefined) return undefined;
    const { approved, rejected } = words.mails.appealDecided;
    const { subject, told } = isApproved ? approved : rejected;
    return {
      subject,
      paragraphs: [told({ account: handle, time: words.formats.exactTime(strike.createdAt) })],
      action: { label: words.mails.decision, address: `${addresses.origin}/disputes/strikes/${strikeId}` },
    };
  },
};

/** The posts that led to a decision: those that are still there with their beginning, the others by their number. */
function postsOf(
  { words, snapshots, addresses, account }: Telling,
  statusIds: readonly Id[],
): Pick<MailText, 'listed'> | undefined {
  if (statusIds.length === 0) return undefined;
  const present = statusIds
    .slice(0, namedPostsMax)
    .flatMap((id) => findStatusRecord(snapshots, id) ?? [])
    .map((status) => {
      const text = shorten(toPlainLine(status.spoilerText || status.content), excerptCharactersMax);
      const time = words.formats.exactTime(status.createdAt);
      return {
        text: text === '' ? time : `${time}: ${text}`,
        address: addresses.statusPage(account.profile.username, status.id),
      };
    });
  const others = statusIds.length - present.length;
  const counted = others === 0 ? [] : [{ text: words.mails.otherPosts({ count: others }) }];
  return { listed: { title: words.mails.posts, items: [...present, ...counted] } };
}

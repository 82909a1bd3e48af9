/** Which mails an account wants. Pure. */

import { type MailContent, type MailSettings, MailTopic, mailTopics } from '../account/mail/mail.records.ts';
import { grants, type HeldRole } from './roles.ts';
import { concernsRole, isForStaff } from './staff.ts';

/** Undefined for what everybody is told. */
export function topicOf(content: MailContent): MailTopic | undefined {
  if (content.kind === 'notification') return content.type;
  if (content.kind === 'report') return 'admin.report';
  if (content.kind === 'appeal') return 'admin.appeal';
  if (content.kind === 'trends') return 'admin.trends';
  if (content.kind === 'announcement') return 'announcement';
  return content.kind === 'signUp' ? 'admin.sign_up' : undefined;
}

/** Whether whoever gets it can do without: such mails make room for others. */
export function isOptional(content: MailContent): boolean {
  return topicOf(content) !== undefined || isForSubscriber(content);
}

/** Whether it goes to somebody who has subscribed to the account, not to its owner. */
export function isForSubscriber(
  content: MailContent,
): content is Extract<MailContent, { kind: 'posts' | 'subscriptionConfirmation' }> {
  return content.kind === 'posts' || content.kind === 'subscriptionConfirmation';
}

export function wantsMail(settings: MailSettings | undefined, topic: MailTopic): boolean {
  if (settings?.on.includes(topic) === true) return true;
  return mailTopics[topic] && settings?.off.includes(topic) !== true;
}

/** Those that concern the role: the others are of staff. */
export function topicsOf(role: HeldRole): MailTopic[] {
  return MailTopic.options.filter((topic) => {
    if (topic === 'admin.appeal') return grants(role, 'manageAppeals');
    if (topic === 'admin.trends') return grants(role, 'manageTaxonomies');
    return !isForStaff(topic) || concernsRole(topic, role);
  });
}

/** What was chosen before stays chosen, whatever becomes of the presets. */
export function changedSettings(
  before: MailSettings | undefined,
  { on, off, always }: { on: readonly MailTopic[]; off: readonly MailTopic[]; always: boolean | undefined },
): MailSettings {
  const known = before ?? { on: [], off: [], always: false };
  const merged = (kept: readonly string[], added: readonly string[], removed: readonly string[]) => [
    ...new Set([...kept.filter((topic) => !removed.includes(topic)), ...added]),
  ];
  return { on: merged(known.on, on, off), off: merged(known.off, off, on), always: always ?? known.always };
}

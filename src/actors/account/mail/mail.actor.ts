/** The mail of an account. */
import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { changedSettings, topicOf, wantsMail } from '../../policy/mail-topics.ts';
import type { AccountTurn } from '../account.turn.ts';
import { logins } from '../profile/profile.state.ts';
import { mailMessages } from './mail.messages.ts';
import * as state from './mail.state.ts';
import { ownMail } from './mail.turn.ts';
import { sendMail } from './send-mail.ts';

const { accountMails } = state;

function mail(turn: AccountTurn, { content }: BodyOf<typeof mailMessages.mail>): undefined {
  const topic = topicOf(content);
  if (topic !== undefined && !wantsMail(ownMail(turn).settings, topic)) return;
  sendMail(turn, content);
}

function mailRefused(turn: AccountTurn, { email, response }: BodyOf<typeof mailMessages.mailRefused>): undefined {
  const { key } = turn.self;
  if (turn.get(logins, [key])?.email !== email) return;
  const before = turn.get(accountMails, [key]) ?? {};
  const known = before.refused?.email === email ? before.refused.count : 0;
  turn.put(accountMails, [key], { ...before, refused: { email, at: turn.now, response, count: known + 1 } });
}

function changeMailSettings(
  turn: AccountTurn,
  { on, off, always }: BodyOf<typeof mailMessages.changeMailSettings>,
): undefined {
  const { key } = turn.self;
  if (turn.get(logins, [key]) === undefined) throw new Failure('notFound');
  const before = turn.get(accountMails, [key]) ?? {};
  turn.put(accountMails, [key], { ...before, settings: changedSettings(before.settings, { on, off, always }) });
}

export const mailFeature = feature<AccountTurn>()({
  messages: mailMessages,
  handlers: { mail, mailRefused, changeMailSettings },
  state: [state],
  rules: state.mailRules,
});

/** Tells an account by mail what has changed about its login. */
import { Directory, nameOfEmail } from '../../directory/directory.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import type { Login, Profile } from '../profile/profile.records.ts';
import type { MailedDecision } from './mail.records.ts';
import { accountMails } from './mail.state.ts';
import { sendMail } from './send-mail.ts';

/** A login with its profile. */
interface State {
  readonly login: Login;
  readonly profile: Profile;
}

type Change = readonly [is: (state: State) => boolean, begins: MailedDecision, ends: MailedDecision | undefined];

const changes: readonly Change[] = [
  [({ login }) => login.approved, 'approved', undefined],
  [({ login }) => login.disabled, 'disabled', 'enabled'],
  [({ profile }) => profile.suspendedAt !== undefined, 'suspended', 'unsuspended'],
  [({ profile }) => profile.limited, 'limited', 'unlimited'],
];

/** Called when the changed login is stored. */
export function tellChanges(turn: AccountTurn, before: State, after: State): void {
  for (const [is, begins, ends] of changes) {
    // Nobody reads the mail of somebody who has died.
    if (is(before) === is(after) || after.profile.memorial) continue;
    const decision = is(after) ? begins : ends;
    if (decision !== undefined) sendMail(turn, { kind: 'decided', decision });
  }
  if (after.login.confirmed && !before.login.confirmed)
    turn.tell(Directory.grantEmail.to(nameOfEmail(after.login.email), { accountId: turn.self.key }));
  if (before.login.passwordHash === after.login.passwordHash) return;
  endPasswordReset(turn);
  sendMail(turn, { kind: 'passwordChanged' });
}

/** Links of earlier mails set no other one. */
function endPasswordReset(turn: AccountTurn): void {
  const known = turn.get(accountMails, [turn.self.key]);
  if (known?.reset !== undefined) turn.put(accountMails, [turn.self.key], { ...known, reset: undefined });
}

/** What an account signs in with: two-factor authentication. */
import { forms } from '../message.ts';

export const security = {
  title: 'Security',
  done: {
    enabled: 'Two-factor authentication is on.',
    disabled: 'Two-factor authentication is off.',
    required: 'Your role here needs two-factor authentication. Set up an app or a passkey, then you can go on.',
    added: 'The passkey is added.',
    renamed: 'The passkey has another name.',
    removed: 'The passkey is removed.',
  },
  proof: {
    password: 'Your password',
    code: 'Code',
    codeHint: 'Of your authenticator app, or one of your recovery codes.',
    passkey: 'Use a passkey in place of a code',
  },
  twoFactor: {
    title: 'Two-factor authentication',
    introduction:
      'Whoever gets hold of your password cannot sign in with it alone: a code of an app on your phone is asked for too.',
    setUp: 'Set up an authenticator app',
    isOn: 'Your authenticator app is set up since {day}.',
    disableTitle: 'Switch it off',
    disableWithPasskeys: 'Your password is enough to sign in then. Your recovery codes and your passkeys are gone.',
    disableIntroduction: 'Your password is enough to sign in then. Your recovery codes are gone.',
    disable: 'Switch two-factor authentication off',
  },
  passkeys: {
    title: 'Passkeys',
    introduction:
      'A passkey is kept by your device or by a key on your key ring, and opened with your finger, your face or a PIN. With it you sign in without your password, and nobody can trick you into telling it.',
    details: 'Added on {day}, last used {used}',
    detailsUnused: 'Added on {day}, never used',
    isBackedUp: 'It is kept by more than one of your devices.',
    change: 'Change',
    another: 'Another passkey',
    name: 'Name',
    nameHint: 'By which you know it again, such as the name of the device.',
    add: 'Add a passkey',
    notDone: 'That did not work, or was called off. Please try again.',
    noHost: 'Passkeys need a server with a name of its own: this one is reached by an IP address.',
    rename: 'Save the name',
    removeTitle: 'Remove it',
    removeHint: 'It does not sign you in any more. Remove it from your device as well.',
    remove: 'Remove the passkey',
    back: 'All passkeys',
  },
  app: {
    title: 'Set up an authenticator app',
    scan: 'Scan this picture with the app.',
    type: 'Or type this into it:',
    code: 'Code',
    codeHint: 'The six digits that the app shows now. They prove that it has understood.',
    confirm: 'Switch two-factor authentication on',
  },
  recovery: {
    title: 'Recovery codes',
    introduction: 'With one of them you sign in where you do not have the app. Each holds once.',
    shownOnce:
      'Print these codes, or write them down, and keep them where you find them without your phone. They are shown this one time.',
    left: forms({ one: '{count} code is left.', other: '{count} codes are left.' }),
    renew: 'Make new codes',
  },
} as const;

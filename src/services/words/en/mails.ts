/** What mails say. A subject is one line; names and texts of people are not part of it where it can be avoided. */
export const mails = {
  greeting: 'Hello {name},',
  footer: 'This mail is from {server}. It is about your account {account}.',
  unsubscribe: 'No more mails of this kind',
  notYou: {
    password:
      'If that was not you, set a new password at once: this ends all sessions. And tell the people who run this server.',
    setPassword: 'Set a new password',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    told: 'The password of your account {account} was changed ({time}).',
  },
  test: {
    subject: 'A test of the mail of {server}',
    told: 'This mail was asked for on the command line of the server. That it has arrived shows that the server can send mail.',
  },
} as const;

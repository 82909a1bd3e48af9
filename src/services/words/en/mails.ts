/** What mails say. A subject is one line; names and texts of people are not part of it where it can be avoided. */
import { forms } from '../message.ts';

export const mails = {
  greeting: 'Hello {name},',
  footer: 'This mail is from {server}. It is about your account {account}.',
  unsubscribe: 'No more mails of this kind',
  notifications: 'Your notifications',
  /** Buttons of notifications. */
  look: { post: 'Read it and answer', profile: 'The profile', requests: 'Requests to follow you' },
  decision: 'What was decided, and why',
  howToAppeal: 'If you think that this is a mistake, you can appeal on that page, once and within {days} days.',
  posts: 'The posts that it is about:',
  otherPosts: forms({ one: '{count} post that is gone', other: '{count} posts that are gone' }),
  /** To those who have subscribed to an account. */
  newPosts: {
    subject: forms({ one: 'A new post by {name}', other: '{count} new posts by {name}' }),
    title: 'New from {name}:',
    action: 'The profile',
  },
  subscribing: {
    subject: 'Posts of {name} by mail?',
    told: 'This address was given to get the public posts of {account} at {server} by mail. If that was you, confirm it; the link holds for three days.',
    action: 'Yes, send them',
    notYou: 'If that was not you, do nothing: no posts are sent, and the address is forgotten.',
    footer: 'This mail is from {server}. It is for those who subscribe to {account}.',
  },
  notYou: {
    password:
      'If that was not you, set a new password at once: this ends all sessions. And tell the people who run this server.',
    setPassword: 'Set a new password',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    told: 'The password of your account {account} was changed ({time}).',
  },
  confirmation: {
    subject: 'Confirm your address at {server}',
    told: 'This address was given for the account {account}. If that was you, confirm it; the link holds for two days.',
    action: 'Confirm the address',
    notYou: 'If that was not you, do nothing.',
    known: 'Your address at {server}',
    toldOwner:
      'Somebody wanted to use this address for the account {account}. It is that of your account {own} already: nothing was changed. If that was you, sign in with it, or set a new password.',
  },
  emailChanged: {
    subject: 'Your address was changed',
    told: 'Your account {account} has another e-mail address now. This one gets no more mail about it.',
    notYou: 'If that was not you, tell the people who run {server} at once.',
  },
  passwordReset: {
    subject: 'Set a new password',
    told: 'Somebody has asked for a new password for your account {account}. The link holds for six hours, and once.',
    action: 'Set a new password',
    notYou: 'If that was not you, do nothing: your password stays what it is.',
  },
  /** By what was changed. `name`: of the passkey. */
  secured: {
    twoFactorEnabled: {
      subject: 'Signing in needs a second factor now',
      told: 'Two-factor authentication was switched on for your account {account} ({time}). Keep your recovery codes where you find them without your phone.',
    },
    twoFactorDisabled: {
      subject: 'Signing in needs no second factor any more',
      told: 'Two-factor authentication was switched off for your account {account} ({time}). The password is enough to sign in.',
    },
    recoveryCodesReplaced: {
      subject: 'You have new recovery codes',
      told: 'New recovery codes were made for your account {account} ({time}). Those from before are worthless.',
    },
    secondFactorFailed: {
      subject: 'Somebody knows your password',
      told: 'Somebody has given the right password of your account {account}, and then a wrong second factor ({time}). Nobody was let in.',
    },
    passkeyAdded: {
      subject: 'A passkey was added',
      told: 'The passkey “{name}” can sign in to your account {account} from now on ({time}).',
    },
    passkeyRemoved: {
      subject: 'A passkey was removed',
      told: 'The passkey “{name}” cannot sign in to your account {account} any more ({time}).',
    },
  },
  signedIn: {
    subject: 'A sign-in from a new place',
    told: 'Somebody has signed in to your account {account} with your password, from where nobody had before ({time}).',
    from: 'Address: {address}',
    browser: 'Browser: {browser}',
  },
  applicationAuthorized: {
    subject: 'A new application may act for you',
    told: '{name} was authorized to act for your account {account} ({time}). It may: {scopes}',
    action: 'Your applications',
    notYou: 'If that was not you, revoke its access there, and set a new password.',
  },
  welcome: {
    subject: 'Welcome to {server}',
    told: 'Your address is confirmed, and your account {account} is open. That is also your name for people on other servers: they find you and follow you with it.',
    next: 'Tell the others who you are, and look around: whom you follow is what you read.',
    action: 'Look around',
    settings: 'Your profile and all settings: {address}',
  },
  report: {
    subject: 'New report',
    told: '{reporter} has reported {reported} ({category}).',
    lines: forms({ one: 'The report names {count} post.', other: 'The report names {count} posts.' }),
  },
  signUp: {
    subject: 'A sign-up waits for approval',
    told: '{account} would like to join {server}.',
  },
  /** By what was done; `none`: nothing besides. */
  warned: {
    none: {
      subject: 'The moderators have warned you',
      told: 'The moderators of {server} have warned your account {account}:',
    },
    disable: {
      subject: 'Your account was disabled',
      told: 'The moderators of {server} have disabled your account {account}: you cannot sign in at the moment.',
    },
    mark_statuses_as_sensitive: {
      subject: 'Posts of yours were marked as sensitive',
      told: 'The moderators of {server} have marked posts of your account {account} as sensitive.',
    },
    delete_statuses: {
      subject: 'Posts of yours were deleted',
      told: 'The moderators of {server} have deleted posts of your account {account}.',
    },
    sensitive: {
      subject: 'Your media are shown as sensitive',
      told: 'The moderators of {server} have decided that all media of your account {account} are shown as sensitive.',
    },
    silence: {
      subject: 'Your account was limited',
      told: 'The moderators of {server} have limited your account {account}: only people who follow it see its posts.',
    },
    suspend: {
      subject: 'Your account was suspended',
      told: 'The moderators of {server} have suspended your account {account}: nobody sees it, and you cannot sign in. What it left here is removed in thirty days.',
    },
  },
  decided: {
    contact: 'If you think that this is a mistake, write to the people who run the server.',
    signIn: 'Sign in',
    approved: {
      subject: 'Welcome: your account is open',
      told: 'Your account {account} was approved. You can sign in now.',
    },
    disabled: {
      subject: 'Your account was disabled',
      told: 'The moderators of {server} have disabled your account {account}: you cannot sign in at the moment.',
    },
    enabled: { subject: 'Your account is open again', told: 'Your account {account} can be used again.' },
    suspended: {
      subject: 'Your account was suspended',
      told: 'The moderators of {server} have suspended your account {account}: nobody sees it, and you cannot sign in.',
    },
    unsuspended: {
      subject: 'Your account is no longer suspended',
      told: 'Your account {account} is visible again, and can be used.',
    },
    limited: {
      subject: 'Your account was limited',
      told: 'The moderators of {server} have limited your account {account}: only people who follow it see its posts.',
    },
    unlimited: {
      subject: 'Your account is no longer limited',
      told: 'Everybody can find the posts of your account {account} again.',
    },
  },
  appeal: {
    subject: 'New appeal',
    told: '{account} has appealed against {decision} ({time}).',
    against: {
      none: 'a warning',
      disable: 'being disabled',
      mark_statuses_as_sensitive: 'posts being marked as sensitive',
      delete_statuses: 'posts being deleted',
      sensitive: 'media being shown as sensitive',
      silence: 'being limited',
      suspend: 'being suspended',
    },
  },
  appealDecided: {
    approved: {
      subject: 'Your appeal was approved',
      told: 'The moderators have approved the appeal of your account {account} against their decision of {time}. It was taken back, and does not count any more.',
    },
    rejected: {
      subject: 'Your appeal was rejected',
      told: 'The moderators have rejected the appeal of your account {account} against their decision of {time}.',
    },
  },
  announcement: {
    subject: 'Announcement of {server}',
    told: 'Those who run {server} announce:',
    action: 'Open {server}',
  },
  terms: {
    subject: 'The terms of service of {server} change',
    told: 'Those who run {server} have published new terms of service. They hold from {day}.',
    holds: 'Those who run {server} have published new terms of service. They hold since {day}.',
    agree: 'Whoever goes on using the account {account} then agrees to them.',
    action: 'Read them',
    /** Announced to everybody here. */
    willChange: 'The terms of service change on {day}: {address}',
    haveChanged: 'The terms of service have changed: {address}',
  },
  trends: {
    subject: 'Trends wait for a review',
    told: 'Nothing trends at {server} before it was reviewed. These would:',
    title: 'Hashtags, pages and posts',
    action: 'Review them',
  },
  test: {
    subject: 'A test of the mail of {server}',
    told: 'This mail was asked for on the command line of the server. That it has arrived shows that the server can send mail.',
  },
} as const;

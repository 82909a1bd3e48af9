/** The end of an account, as its owner decides it, and what people take along. */
import { forms } from '../message.ts';

export const leaving = {
  deletion: {
    title: 'Delete your account',
    introduction:
      'Your posts, your media, your follows, and everything else that you have here are removed, and other servers are asked to do the same. Nobody can bring that back.',
    name: 'Your name {account} can never be used again, not even by you. Your e-mail address is free again.',
    delay: forms({
      one: 'You have {count} day to change your mind: sign in here, and take it back. Until then the account stays as it is, but nobody can use it, and all applications and browsers are signed out.',
      other:
        'You have {count} days to change your mind: sign in here, and take it back. Until then the account stays as it is, but nobody can use it, and all applications and browsers are signed out.',
    }),
    atOnce: 'This happens at once.',
    delete: 'Delete my account',
    waiting: 'Your account is about to be deleted',
    waitingUntil: 'On {time} your account {account} is deleted. Until then nobody can use it.',
    keep: 'Keep my account',
    deleted: 'Your account is deleted',
    goodbye: 'What you had here is being removed, and other servers are told. Farewell.',
  },
  archive: {
    title: 'Take your data along',
    introduction:
      'An archive has all your posts with their media, your profile with its pictures, your favourites, your bookmarks and your lists. You can have one a week.',
    request: 'Ask for an archive',
    building: 'Your archive is being made. You get a mail as soon as it is ready.',
    failed: 'Your archive could not be made. Please ask for it again.',
    ready: 'Your archive is ready ({size}). It is kept until {time}.',
    download: 'Download the archive',
    lists: 'Lists as files',
    listsIntroduction: 'Comma-separated values, which other servers can import.',
    severed: 'Follows that ended with a decision of the moderators',
    severedIntroduction: 'Comma-separated values, with which you can follow the same people from another server.',
    names: {
      follows: 'Whom you follow',
      blocks: 'Whom you block',
      mutes: 'Whom you mute',
      domainBlocks: 'Servers that you hide',
      lists: 'Your lists',
      bookmarks: 'Your bookmarks',
      filters: 'Your filters',
    },
  },
  mails: {
    archiveReady: {
      subject: 'Your archive is ready',
      told: 'The archive of your account {account} can be downloaded until {time}. You have to be signed in for that.',
      action: 'Download the archive',
    },
    archiveFailed: {
      subject: 'Your archive could not be made',
      told: 'Something went wrong with the archive of your account {account}. You can ask for it again.',
      action: 'Ask again',
    },
    begun: {
      subject: 'Your account will be deleted',
      told: 'You have asked to delete your account {account}. That happens on {time}. Until then nobody can use it, and you can take it back.',
      takeBack: 'Keep my account',
      notYou: 'If that was not you, sign in and keep your account, and set a new password.',
    },
    takenBack: {
      subject: 'Your account stays',
      told: 'Your account {account} is not deleted: it was taken back after a sign-in.',
    },
    deleted: {
      subject: 'Your account is deleted',
      told: 'Your account {account} is deleted, and {server} has forgotten this e-mail address.',
      elsewhere:
        'Other servers were asked to delete their copies as well. This is the last mail that you get about it.',
    },
  },
} as const;

/** Invites: of people, and as staff see them. */
import { forms } from '../message.ts';

export const invites = {
  title: 'Invites',
  none: 'You have not invited anybody yet.',
  older: 'Older ones',
  newOne: 'Invite people',
  introduction: 'Whoever has the address of an invite may create an account here with it.',
  uses: 'How many may use it',
  anyNumber: 'Any number',
  people: forms({ one: '{count} person', other: '{count} people' }),
  holds: 'How long it holds',
  /** By seconds. */
  times: {
    '1800': '30 minutes',
    '3600': 'An hour',
    '21600': '6 hours',
    '43200': '12 hours',
    '86400': 'A day',
    '604800': 'A week',
  },
  forEver: 'For ever',
  comment: 'Note',
  commentHint: 'For yourself and for the staff; may be empty.',
  autofollow: 'They follow me from the beginning',
  make: 'Make the invite',
  address: 'Address of the invite',
  copy: 'Copy',
  copied: 'Copied',
  end: 'End it',
  done: {
    made: 'The invite is made: pass its address on.',
    ended: 'The invite has ended. Whoever came with it stays.',
  },
  states: { usable: 'holds', expired: 'expired', usedUp: 'used up', ended: 'ended' },
  used: forms({ one: 'used by {count} person', other: 'used by {count} people' }),
  usedOf: forms({ one: 'used by {count} person of {limit}', other: 'used by {count} people of {limit}' }),
  until: 'until {time}',
  follows: 'they follow',
  /** Above the form of a sign-up. */
  invitedBy: '{account} invites you to {server}.',
  invited: 'You are invited to {server}.',
  /** For staff. */
  all: 'Invites',
  noneAtAll: 'Nobody has made an invite yet.',
  by: 'Invited by {account}',
  ofServer: 'The server itself',
  endAll: 'End all invites',
  endAllMore: 'End all …',
  endAllHint: 'Nobody signs up with any of the invites that there are now. New ones can be made.',
} as const;

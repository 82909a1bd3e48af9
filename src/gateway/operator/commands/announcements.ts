/** Commands about announcements. */
import type { StoredAnnouncement } from '../../../actors/instance/announcements/announcements.queries.ts';
import {
  allAnnouncements,
  changeAnnouncement,
  mailAnnouncement,
  publishAnnouncement,
  withdrawAnnouncement,
} from '../../../operations/administration/announcements.ts';
import { parseId } from '../../../runtime/ids.ts';
import { command, type FlagValues } from './command.ts';
import { asOneLine, demandChange, text, timeOf, UsageError } from './reading.ts';

const time = { value: 'TIME', sentence: 'Start of the announced event, such as 2027-01-31 or 2027-01-31T18:00Z.' };
const flags = {
  'starts-at': time,
  'ends-at': { ...time, sentence: 'End of the announced event; the announcement is withdrawn then.' },
  'all-day': { sentence: 'The event lasts whole days: times are ignored.' },
};

const publish = command({
  words: 'announcements publish',
  argument: 'TEXT',
  flags,
  sentence: 'Publishes an announcement to all local accounts.',
  read: (announced, given) => ({
    text: announced,
    startsAt: timeIn(given, 'starts-at'),
    endsAt: timeIn(given, 'ends-at'),
    allDay: given['all-day'] === true,
  }),
  mayComeFirst: true,
  operation: publishAnnouncement,
  print: ({ announcementId }) => [`Published the announcement ${announcementId}.`],
});

const never = 'never';

const change = command({
  words: 'announcements change',
  argument: 'ID',
  flags: {
    text: { value: 'TEXT', sentence: 'New text.' },
    'starts-at': { ...time, sentence: `Start of the announced event; "${never}" removes it.` },
    'ends-at': { ...time, sentence: `End of the announced event; "${never}" removes it.` },
    'all-day': { sentence: 'The event lasts whole days: times are ignored.' },
  },
  sentence: 'Changes an announcement.',
  read(id, given) {
    const changes = {
      announcementId: announcementId(id),
      text: text(given, 'text'),
      startsAt: text(given, 'starts-at') === never ? null : timeIn(given, 'starts-at'),
      endsAt: text(given, 'ends-at') === never ? null : timeIn(given, 'ends-at'),
      allDay: given['all-day'] === true || undefined,
    };
    demandChange(given);
    return changes;
  },
  operation: changeAnnouncement,
  print: (_changed, { announcementId: id }) => [`Changed the announcement ${id}.`],
});

const withdraw = command({
  words: 'announcements withdraw',
  argument: 'ID',
  sentence: 'Withdraws an announcement.',
  read: (id) => ({ announcementId: announcementId(id) }),
  operation: withdrawAnnouncement,
  print: (_withdrawn, { announcementId: id }) => [`Withdrew the announcement ${id}.`],
});

const mail = command({
  words: 'announcements mail',
  argument: 'ID',
  sentence: 'Sends an announcement by mail to all local accounts that want such mails, once.',
  read: (id) => ({ announcementId: announcementId(id) }),
  operation: mailAnnouncement,
  print: (_sent, { announcementId: id }) => [`The announcement ${id} is being sent by mail.`],
});

const list = command({
  words: 'announcements list',
  sentence: 'Lists the announcements.',
  read: () => ({}),
  operation: allAnnouncements,
  print: (announcements) => (announcements.length === 0 ? ['There are no announcements.'] : announcements.map(lineOf)),
});

/** As digits: JSON has no 64-bit integers. */
function announcementId(given: string): string {
  if (parseId(given) === undefined) throw new UsageError(`${given} is not the ID of an announcement.`);
  return given;
}

function timeIn(given: FlagValues, flag: string): number | undefined {
  const typed = text(given, flag);
  return typed === undefined ? undefined : timeOf(typed, `--${flag}`);
}

function lineOf({ id, announcement }: StoredAnnouncement): string {
  const { startsAt, endsAt, allDay, mailedAt } = announcement;
  const moment = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, allDay ? 10 : undefined);
  const times = [
    ...(startsAt === undefined ? [] : [`from ${moment(startsAt)}`]),
    ...(endsAt === undefined ? [] : [`until ${moment(endsAt)}`]),
    ...(mailedAt === undefined ? [] : [`mailed ${new Date(mailedAt).toISOString()}`]),
  ];
  return [id, asOneLine(announcement.text, 200), ...(times.length === 0 ? [] : [`(${times.join(' ')})`])].join('  ');
}

export const announcementCommands = [publish, change, withdraw, mail, list];

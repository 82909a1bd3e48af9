/** The page of storage: what takes the disk space, and which old posts go. */
import { forms } from '../message.ts';

export const storage = {
  title: 'Speicherplatz',
  measuring: 'Die Zahlen werden gerade erhoben: Lade die Seite in einer Weile neu.',
  measured: 'Erhoben {time}.',
  database: 'In der Datenbank',
  databaseSize: 'Ihre Dateien belegen {size}, davon sind {free} frei für die nächsten Schreibvorgänge.',
  beside: 'Neben der Datenbank',
  diskLeft: 'Frei auf dem Datenträger: {left}.',
  columns: { what: 'Was', entries: 'Einträge', files: 'Dateien', size: 'Größe', age: 'Alter', posts: 'Beiträge' },
  kinds: {
    ownPosts: 'Beiträge von Leuten hier',
    otherPosts: 'Beiträge anderer Server',
    postLists: 'Listen, Antworten, Fassungen und Zähler von Beiträgen',
    ownAccounts: 'Konten hier',
    otherAccounts: 'Konten anderer Server',
    accountData: 'Namen, Schlüssel, Anmeldungen, Einstellungen und Listen von Konten',
    follows: 'Folgen, Blockierungen und Stummschaltungen',
    interactions:
      'Favoriten, geteilte Beiträge, Lesezeichen, Umfragen, Zitate und Antworten, die auf Zustimmung warten',
    notifications: 'Mitteilungen und Unterhaltungen',
    media: 'Was über Medien und Linkvorschauen bekannt ist',
    finding: 'Namen und Hashtags für die Suche',
    deliveries: 'Zustellungen, E-Mails und Push-Nachrichten',
    staff: 'Einstellungen, Regeln, Meldungen und das Protokoll',
    events: 'Ereignisprotokoll',
    machinery: 'Nachrichten, Zeitgeber und Aufgaben unterwegs',
  },
  places: {
    ownMedia: 'Medien von Leuten hier',
    otherMedia: 'Kopien von Medien und Linkvorschauen anderer Server',
    search: 'Suchindex',
    incoming: 'Hochgeladenes, das auf die Verarbeitung wartet',
    mails: 'In Dateien geschriebene E-Mails',
  },
  oldPosts: 'Öffentliche Beiträge anderer Server, die hier niemand braucht',
  olderThan: forms({ one: 'älter als {count} Tag', other: 'älter als {count} Tage' }),
  allKept: 'Alle bleiben. Die Einstellungen sagen, wie alt sie werden.',
  rule: forms({
    one: 'Die älter als {count} Tag sind, werden vergessen.',
    other: 'Die älter als {count} Tage sind, werden vergessen.',
  }),
  run: 'Der Lauf vom {time} hat {examined} Beiträge angesehen und {forgotten} vergessen.',
  goesOn: 'Er dauert an.',
  next: 'Der nächste beginnt {time}.',
} as const;

/** Beiträge, die nach einer Regel gelöscht werden. */
import { forms } from '../message.ts';

export const cleanup = {
  title: 'Alte Beiträge löschen',
  introduction:
    'Deine Beiträge und geteilten Beiträge werden gelöscht, sobald sie alt genug sind, außer du behältst sie aus einem Grund. Das beginnt eine Stunde, nachdem du das gespeichert hast, und niemand kann sie zurückholen.',
  isOn: 'Meine alten Beiträge löschen',
  age: 'Älter als',
  days: forms({ one: '{count} Tag', other: '{count} Tage' }),
  keep: 'Diese bleiben, egal wie alt sie sind',
  exceptions: {
    keepsDirect: 'Private Erwähnungen',
    keepsPinned: 'Was an deinem Profil angeheftet ist',
    keepsPolls: 'Umfragen',
    keepsMedia: 'Beiträge mit Medien',
    keepsFavourited: 'Was du selbst favorisiert hast',
    keepsBookmarked: 'Wo du selbst ein Lesezeichen gesetzt hast',
  },
  favouritesMin: 'Beiträge, die mindestens so oft favorisiert wurden',
  reblogsMin: 'Beiträge, die mindestens so oft geteilt wurden',
  optional: 'Leer bleibt deshalb keiner.',
  save: 'Speichern',
  done: 'Gespeichert.',
} as const;

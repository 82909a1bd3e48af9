/** Figures of the server for staff. */
import { forms } from '../message.ts';

export const measures = {
  title: 'Zahlen',
  days: forms({ one: '{count} Tag', other: '{count} Tage' }),
  latest: forms({ one: 'Der letzte Tag', other: 'Die letzten {count} Tage' }),
  before: forms({ one: '{number} am Tag davor', other: '{number} in den {count} Tagen davor' }),
  nothing: 'Es wurde nichts gezählt.',
  measures: {
    activeUsers: 'Aktive',
    newUsers: 'Neue',
    interactions: 'Favoriten, Boosts, Antworten, Stimmen',
    openedReports: 'Neue Meldungen',
    resolvedReports: 'Geschlossene Meldungen',
  },
  dimensions: {
    servers: 'Server mit den meisten Beiträgen',
    languages: 'Sprachen',
    sources: 'Womit sich Menschen angemeldet haben',
    spaceUsage: 'Platz auf dem Datenträger',
    softwareVersions: 'Versionen',
  },
  shares: {
    web: 'Auf dieser Website',
    lmdb: 'Datenbank',
    media: 'Hochgeladene Medien',
    media_cache: 'Kopien von Medien anderer Server',
    search: 'Suchindex',
    und: 'Unbekannt',
  },
  retention: 'Wer bleibt',
  retentionHint: 'Wie viele von denen, die in einem Monat kamen, in ihm oder später aktiv waren.',
  cameIn: 'Gekommen im',
} as const;

/** Listen und Beiträge, die man von anderswo mitbringt. */
import { forms } from '../message.ts';

export const imports = {
  title: 'Listen und Beiträge mitbringen',
  introduction:
    'Dateien, die ein anderer Server exportiert hat, als durch Kommas getrennte Werte. In einer dürfen bis zu {rows} Zeilen sein.',
  list: 'Was darin ist',
  file: 'Die Datei',
  mode: 'Was du hier schon hast',
  merge: 'bleibt, und was in der Datei ist, kommt dazu',
  overwrite: 'wird ersetzt: Was nicht in der Datei ist, wird entfernt',
  begin: 'Importieren',
  names: {
    follows: 'Wem du folgst',
    blocks: 'Wen du blockierst',
    mutes: 'Wen du stummgeschaltet hast',
    domainBlocks: 'Server, die du verbirgst',
    lists: 'Deine Listen',
    bookmarks: 'Deine Lesezeichen',
    filters: 'Deine Filter',
    posts: 'Deine Beiträge',
  },
  past: 'Deine Importe',
  keptFor: 'Was aus jeder Zeile geworden ist, bleibt {days} Tage.',
  progress: '{tried} von {rows} Zeilen sind erledigt',
  states: {
    running: 'Er läuft.',
    cancelled: 'Er wurde abgebrochen.',
    failed: 'Er konnte nicht weitergehen.',
    ended: 'Er ist zu Ende.',
  },
  taken: forms({ one: '{count} Zeile wurde übernommen.', other: '{count} Zeilen wurden übernommen.' }),
  failed: forms({ one: '{count} Zeile wurde nicht übernommen:', other: '{count} Zeilen wurden nicht übernommen:' }),
  row: 'Zeile {line}: {reason}',
  results: {
    unreadable: 'das ist keine Zeile einer solchen Liste, oder kein Beitrag',
    unknown: 'nicht gefunden',
    unreachable: 'ihr Server antwortet nicht',
    refused: 'hier nicht möglich',
    boost: 'ein geteilter Beitrag: bleibt weg',
    direct: 'eine Direktnachricht: bleibt weg',
    foreign: 'von jemand anderem',
    undated: 'ohne ein mögliches Datum',
    withoutMedia: 'übernommen, aber ohne manche Dateien',
  },
  failures: 'Alle diese Zeilen als Datei',
  posts: {
    title: 'Deine Beiträge',
    introduction:
      'Das Archiv, das ein anderer Server von deinem Konto gemacht hat (zip oder tar.gz). Deine Beiträge kommen mit Datum, Bildern, Inhaltswarnungen und Sichtbarkeit hierher, und niemand wird benachrichtigt; Lesezeichen darin kommen mit. Geteilte Beiträge, Favoriten und Direktnachrichten bleiben weg. Das andere Konto muss <link>ein Alias</link> von diesem sein.',
    file: 'Das Archiv',
    begin: 'Beiträge importieren',
    reading: 'Das Archiv wird gelesen.',
  },
  cancel: 'Abbrechen',
  noFile: 'Bitte wähle eine Datei.',
} as const;

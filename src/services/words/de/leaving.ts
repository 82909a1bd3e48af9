/** Das Ende eines Kontos, wie es beschließt, wem es gehört. */
import { forms } from '../message.ts';

export const leaving = {
  deletion: {
    title: 'Dein Konto löschen',
    introduction:
      'Deine Beiträge, deine Medien, wem du folgst, und alles andere, was du hier hast, wird entfernt, und andere Server werden gebeten, dasselbe zu tun. Niemand kann das zurückholen.',
    name: 'Dein Name {account} kann nie wieder benutzt werden, auch von dir nicht. Deine E-Mail-Adresse ist wieder frei.',
    delay: forms({
      one: 'Du hast {count} Tag, um es dir anders zu überlegen: Melde dich hier an und nimm es zurück. Bis dahin bleibt das Konto, wie es ist, aber niemand kann es benutzen, und alle Anwendungen und Browser werden abgemeldet.',
      other:
        'Du hast {count} Tage, um es dir anders zu überlegen: Melde dich hier an und nimm es zurück. Bis dahin bleibt das Konto, wie es ist, aber niemand kann es benutzen, und alle Anwendungen und Browser werden abgemeldet.',
    }),
    atOnce: 'Das geschieht sofort.',
    delete: 'Mein Konto löschen',
    waiting: 'Dein Konto wird gelöscht',
    waitingUntil: 'Am {time} wird dein Konto {account} gelöscht. Bis dahin kann es niemand benutzen.',
    keep: 'Mein Konto behalten',
    deleted: 'Dein Konto ist gelöscht',
    goodbye: 'Was du hier hattest, wird gerade entfernt, und andere Server erfahren es. Leb wohl.',
  },
  archive: {
    title: 'Deine Daten mitnehmen',
    introduction:
      'Ein Archiv enthält alle deine Beiträge mit ihren Medien, dein Profil mit seinen Bildern, deine Favoriten, deine Lesezeichen und deine Listen. Du kannst eines in der Woche bekommen.',
    request: 'Ein Archiv anfordern',
    building: 'Dein Archiv wird gerade erstellt. Sobald es fertig ist, bekommst du eine E-Mail.',
    failed: 'Dein Archiv konnte nicht erstellt werden. Bitte fordere es noch einmal an.',
    ready: 'Dein Archiv ist fertig ({size}). Es bleibt bis {time}.',
    download: 'Das Archiv herunterladen',
    lists: 'Listen als Dateien',
    listsIntroduction: 'Durch Kommas getrennte Werte, die andere Server importieren können.',
    severed: 'Folgen, das mit einer Entscheidung der Moderation endete',
    severedIntroduction:
      'Durch Kommas getrennte Werte, mit denen du denselben Leuten von einem anderen Server aus folgen kannst.',
    names: {
      follows: 'Wem du folgst',
      blocks: 'Wen du blockierst',
      mutes: 'Wen du stummgeschaltet hast',
      domainBlocks: 'Server, die du verbirgst',
      lists: 'Deine Listen',
      bookmarks: 'Deine Lesezeichen',
      filters: 'Deine Filter',
    },
  },
  mails: {
    archiveReady: {
      subject: 'Dein Archiv ist fertig',
      told: 'Das Archiv deines Kontos {account} kann bis {time} heruntergeladen werden. Dazu musst du angemeldet sein.',
      action: 'Das Archiv herunterladen',
    },
    archiveFailed: {
      subject: 'Dein Archiv konnte nicht erstellt werden',
      told: 'Mit dem Archiv deines Kontos {account} ist etwas schiefgegangen. Du kannst es noch einmal anfordern.',
      action: 'Noch einmal anfordern',
    },
    begun: {
      subject: 'Dein Konto wird gelöscht',
      told: 'Du hast darum gebeten, dein Konto {account} zu löschen. Das geschieht am {time}. Bis dahin kann es niemand benutzen, und du kannst es zurücknehmen.',
      takeBack: 'Mein Konto behalten',
      notYou: 'Falls du das nicht warst, melde dich an, behalte dein Konto, und setze ein neues Passwort.',
    },
    takenBack: {
      subject: 'Dein Konto bleibt',
      told: 'Dein Konto {account} wird nicht gelöscht: Das wurde nach einer Anmeldung zurückgenommen.',
    },
    deleted: {
      subject: 'Dein Konto ist gelöscht',
      told: 'Dein Konto {account} ist gelöscht, und {server} hat diese E-Mail-Adresse vergessen.',
      elsewhere:
        'Andere Server wurden gebeten, ihre Kopien auch zu löschen. Das ist die letzte E-Mail, die du dazu bekommst.',
    },
  },
} as const;

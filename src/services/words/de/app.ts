/** Die Seiten als installierte App. */
export const app = {
  offline: {
    title: 'Keine Verbindung',
    explanation:
      'Dieses Gerät erreicht den Server nicht. Deine Timelines, Mitteilungen und Nachrichten liegen dort und nicht auf diesem Gerät: Bis die Verbindung wieder da ist, gibt es nichts zu lesen.',
    drafts: 'Texte, die du angefangen hast, bleiben in diesem Browser.',
    again: 'Noch einmal versuchen',
  },
  push: {
    title: 'Meldungen auf diesem Gerät',
    introduction:
      'Dieser Browser kann dir melden, was geschieht, während keine Seite offen ist. Der Text geht über einen Dienst des Browserherstellers, so verschlüsselt, dass nur dieser Browser ihn lesen kann.',
    missing:
      'Dieser Browser kann das hier nicht. Auf iPhones und iPads legst du diese Seiten zuerst auf den Startbildschirm und öffnest sie von dort; anderswo braucht es Skripte, eine sichere Verbindung und kein privates Fenster.',
    refused:
      'Dieser Browser lässt diese Seiten nichts melden, oder er hat keinen Dienst, der Meldungen bringt. Das entscheiden seine eigenen Einstellungen.',
    isOn: 'Dieser Browser meldet, was geschieht.',
    isOff: 'Dieser Browser meldet noch nichts.',
    about: 'Was er dir meldet',
    whose: 'Von wem',
    policies: {
      all: 'Von allen',
      followed: 'Von Leuten, denen du folgst',
      follower: 'Von Leuten, die dir folgen',
      none: 'Von niemandem: Zurzeit wird nichts gemeldet',
    },
    alerts: {
      mention: 'Jemand erwähnt dich oder schreibt dir',
      quote: 'Jemand zitiert einen Beitrag von dir',
      status: 'Jemand, von dem du es wissen willst, veröffentlicht etwas',
      reblog: 'Jemand teilt einen Beitrag von dir',
      favourite: 'Jemand favorisiert einen Beitrag von dir',
      follow: 'Jemand folgt dir',
      follow_request: 'Jemand bittet, dir zu folgen',
      poll: 'Eine Umfrage von dir, oder in der du abgestimmt hast, ist beendet',
      update: 'Ein Beitrag, den du geteilt oder in dem du abgestimmt hast, wurde bearbeitet',
      quoted_update: 'Ein Beitrag, den du zitiert hast, wurde bearbeitet',
      added_to_collection: 'Jemand nimmt dich in eine Sammlung auf',
      collection_update: 'Eine Sammlung, in der du bist, wurde bearbeitet',
      severed_relationships: 'Verbindungen gehen verloren, weil ein Server verborgen wurde',
      moderation_warning: 'Die Moderation entscheidet etwas über dein Konto',
      'admin.sign_up': 'Jemand registriert sich',
      'admin.report': 'Jemand wird gemeldet',
    },
    turnOn: 'In diesem Browser melden',
    save: 'Speichern',
    turnOff: 'Nichts mehr melden',
    until: 'Es endet, wenn du dich hier abmeldest.',
    done: {
      on: 'Dieser Browser meldet dir von nun an, was geschieht.',
      saved: 'Deine Wahl ist gespeichert.',
      off: 'Dieser Browser meldet dir nichts mehr.',
    },
  },
} as const;

/** What moderators write down, and what is known of both sides of a report. */

export const moderation = {
  notes: {
    ofAccount: 'Notizen über das Konto',
    ofReport: 'Notizen über die Meldung',
    ofServer: 'Notizen über den Server',
    hint: 'Nur die Moderation sieht sie.',
    none: 'Es gibt keine.',
    text: 'Notiz',
    add: 'Aufschreiben',
    remove: 'Entfernen',
    by: 'von {name}',
  },
  history: {
    ofReporter: 'Andere Meldungen von {account}',
    noneOfReporter: 'Es gibt keine.',
    outcomes: 'Führten zu einer Entscheidung: {struck}. Ohne Entscheidung geschlossen: {dismissed}. Offen: {open}.',
    dismissed: 'ohne Entscheidung geschlossen',
    open: 'offen',
  },
} as const;

/** Was E-Mails sagen. */
import { forms } from '../message.ts';

export const mails = {
  greeting: 'Hallo {name},',
  footer: 'Diese E-Mail ist von {server}. Sie betrifft dein Konto {account}.',
  unsubscribe: 'Keine E-Mails dieser Art mehr',
  notifications: 'Deine Mitteilungen',
  /** Buttons of notifications. */
  look: { post: 'Lesen und antworten', profile: 'Zum Profil', requests: 'Anfragen, dir zu folgen' },
  decision: 'Was entschieden wurde, und warum',
  howToAppeal:
    'Wenn du das für einen Fehler hältst, kannst du auf dieser Seite widersprechen, einmal und innerhalb von {days} Tagen.',
  posts: 'Um diese Beiträge geht es:',
  otherPosts: forms({ one: '{count} Beitrag, der weg ist', other: '{count} Beiträge, die weg sind' }),
  /** An alle, die ein Konto abonniert haben. */
  newPosts: {
    subject: forms({ one: 'Ein neuer Beitrag von {name}', other: '{count} neue Beiträge von {name}' }),
    title: 'Neu von {name}:',
    action: 'Das Profil',
  },
  subscribing: {
    subject: 'Beiträge von {name} per E-Mail?',
    told: 'Diese Adresse wurde angegeben, um die öffentlichen Beiträge von {account} auf {server} per E-Mail zu bekommen. Wenn du das warst, bestätige es; der Link gilt drei Tage.',
    action: 'Ja, schickt sie',
    notYou: 'Wenn du das nicht warst, tu nichts: Es kommen keine Beiträge, und die Adresse wird vergessen.',
    footer: 'Diese E-Mail ist von {server}. Sie ist für alle, die {account} abonniert haben.',
  },
  notYou: {
    password:
      'Falls du das nicht warst, setze sofort ein neues Passwort: Das beendet alle Sitzungen. Und sage denen Bescheid, die diesen Server betreiben.',
    setPassword: 'Neues Passwort setzen',
  },
  passwordChanged: {
    subject: 'Dein Passwort wurde geändert',
    told: 'Das Passwort deines Kontos {account} wurde geändert ({time}).',
  },
  confirmation: {
    subject: 'Bestätige deine Adresse bei {server}',
    told: 'Diese Adresse wurde für das Konto {account} angegeben. Wenn du das warst, bestätige sie; der Link gilt zwei Tage lang.',
    action: 'Adresse bestätigen',
    notYou: 'Falls du das nicht warst, brauchst du nichts zu tun.',
    known: 'Deine Adresse bei {server}',
    toldOwner:
      'Jemand wollte diese Adresse für das Konto {account} benutzen. Sie gehört schon zu deinem Konto {own}: Nichts wurde geändert. Wenn du das warst, melde dich damit an, oder setze ein neues Passwort.',
  },
  emailChanged: {
    subject: 'Deine Adresse wurde geändert',
    told: 'Dein Konto {account} hat jetzt eine andere E-Mail-Adresse. An diese hier kommt nichts mehr dazu.',
    notYou: 'Falls du das nicht warst, sage sofort denen Bescheid, die {server} betreiben.',
  },
  passwordReset: {
    subject: 'Neues Passwort setzen',
    told: 'Jemand hat für dein Konto {account} ein neues Passwort angefordert. Der Link gilt sechs Stunden lang und einmal.',
    action: 'Neues Passwort setzen',
    notYou: 'Falls du das nicht warst, brauchst du nichts zu tun: Dein Passwort bleibt, wie es ist.',
  },
  secured: {
    twoFactorEnabled: {
      subject: 'Die Anmeldung braucht jetzt einen zweiten Faktor',
      told: 'Für dein Konto {account} wurde die Zwei-Faktor-Anmeldung eingeschaltet ({time}). Bewahre die Wiederherstellungscodes so auf, dass du sie auch ohne dein Telefon findest.',
    },
    twoFactorDisabled: {
      subject: 'Die Anmeldung braucht keinen zweiten Faktor mehr',
      told: 'Für dein Konto {account} wurde die Zwei-Faktor-Anmeldung ausgeschaltet ({time}). Zum Anmelden reicht das Passwort.',
    },
    recoveryCodesReplaced: {
      subject: 'Du hast neue Wiederherstellungscodes',
      told: 'Für dein Konto {account} wurden neue Wiederherstellungscodes erzeugt ({time}). Die bisherigen sind wertlos.',
    },
    secondFactorFailed: {
      subject: 'Jemand kennt dein Passwort',
      told: 'Jemand hat das richtige Passwort deines Kontos {account} angegeben, und dann einen falschen zweiten Faktor ({time}). Niemand wurde eingelassen.',
    },
    passkeyAdded: {
      subject: 'Ein Passkey ist dazugekommen',
      told: 'Mit dem Passkey „{name}“ kann man sich ab jetzt bei deinem Konto {account} anmelden ({time}).',
    },
    passkeyRemoved: {
      subject: 'Ein Passkey wurde entfernt',
      told: 'Mit dem Passkey „{name}“ kann man sich bei deinem Konto {account} nicht mehr anmelden ({time}).',
    },
  },
  signedIn: {
    subject: 'Eine Anmeldung von einem neuen Ort',
    told: 'Jemand hat sich mit deinem Passwort bei deinem Konto {account} angemeldet, und zwar von wo es noch niemand getan hat ({time}).',
    from: 'Adresse: {address}',
    browser: 'Browser: {browser}',
  },
  applicationAuthorized: {
    subject: 'Eine neue Anwendung darf für dich handeln',
    told: '{name} wurde erlaubt, für dein Konto {account} zu handeln ({time}). Sie darf: {scopes}',
    action: 'Deine Anwendungen',
    notYou: 'Falls du das nicht warst, entziehe ihr dort den Zugriff, und setze ein neues Passwort.',
  },
  welcome: {
    subject: 'Willkommen bei {server}',
    told: 'Deine Adresse ist bestätigt, und dein Konto {account} ist offen. Das ist auch dein Name für Leute auf anderen Servern: Damit finden sie dich und folgen dir.',
    next: 'Sag den anderen, wer du bist, und sieh dich um: Wem du folgst, den liest du.',
    action: 'Umsehen',
    settings: 'Dein Profil und alle Einstellungen: {address}',
  },
  report: {
    subject: 'Neue Meldung',
    told: '{reporter} hat {reported} gemeldet ({category}).',
    lines: forms({ one: 'Die Meldung nennt {count} Beitrag.', other: 'Die Meldung nennt {count} Beiträge.' }),
  },
  signUp: {
    subject: 'Eine Registrierung wartet auf Freischaltung',
    told: '{account} möchte bei {server} mitmachen.',
  },
  warned: {
    none: {
      subject: 'Die Moderation hat dich verwarnt',
      told: 'Die Moderation von {server} hat dein Konto {account} verwarnt:',
    },
    disable: {
      subject: 'Dein Konto wurde deaktiviert',
      told: 'Die Moderation von {server} hat dein Konto {account} deaktiviert: Du kannst dich zurzeit nicht anmelden.',
    },
    mark_statuses_as_sensitive: {
      subject: 'Beiträge von dir wurden als heikel markiert',
      told: 'Die Moderation von {server} hat Beiträge deines Kontos {account} als heikel markiert.',
    },
    delete_statuses: {
      subject: 'Beiträge von dir wurden gelöscht',
      told: 'Die Moderation von {server} hat Beiträge deines Kontos {account} gelöscht.',
    },
    sensitive: {
      subject: 'Deine Medien werden als heikel gezeigt',
      told: 'Die Moderation von {server} hat entschieden, dass alle Medien deines Kontos {account} als heikel gezeigt werden.',
    },
    silence: {
      subject: 'Dein Konto wurde eingeschränkt',
      told: 'Die Moderation von {server} hat dein Konto {account} eingeschränkt: Nur wer ihm folgt, sieht seine Beiträge.',
    },
    suspend: {
      subject: 'Dein Konto wurde gesperrt',
      told: 'Die Moderation von {server} hat dein Konto {account} gesperrt: Niemand sieht es, und du kannst dich nicht anmelden. Was es hier hinterlassen hat, wird in dreißig Tagen entfernt.',
    },
  },
  decided: {
    contact: 'Wenn du das für einen Fehler hältst, schreibe denen, die den Server betreiben.',
    signIn: 'Anmelden',
    approved: {
      subject: 'Willkommen: Dein Konto ist freigeschaltet',
      told: 'Dein Konto {account} wurde freigeschaltet. Du kannst dich jetzt anmelden.',
    },
    disabled: {
      subject: 'Dein Konto wurde gesperrt',
      told: 'Die Moderation von {server} hat dein Konto {account} gesperrt: Du kannst dich im Moment nicht anmelden.',
    },
    enabled: { subject: 'Dein Konto ist wieder offen', told: 'Dein Konto {account} kann wieder benutzt werden.' },
    suspended: {
      subject: 'Dein Konto wurde stillgelegt',
      told: 'Die Moderation von {server} hat dein Konto {account} stillgelegt: Niemand sieht es, und du kannst dich nicht anmelden.',
    },
    unsuspended: {
      subject: 'Dein Konto ist nicht mehr stillgelegt',
      told: 'Dein Konto {account} ist wieder zu sehen und kann benutzt werden.',
    },
    limited: {
      subject: 'Dein Konto wurde eingeschränkt',
      told: 'Die Moderation von {server} hat dein Konto {account} eingeschränkt: Nur wer ihm folgt, sieht seine Beiträge.',
    },
    unlimited: {
      subject: 'Dein Konto ist nicht mehr eingeschränkt',
      told: 'Alle können die Beiträge deines Kontos {account} wieder finden.',
    },
  },
  appeal: {
    subject: 'Neuer Einspruch',
    told: '{account} hat Einspruch erhoben gegen {decision} ({time}).',
    against: {
      none: 'eine Verwarnung',
      disable: 'die Deaktivierung des Kontos',
      mark_statuses_as_sensitive: 'die Markierung von Beiträgen als heikel',
      delete_statuses: 'die Löschung von Beiträgen',
      sensitive: 'die Anzeige aller Medien als heikel',
      silence: 'die Einschränkung des Kontos',
      suspend: 'die Sperrung des Kontos',
    },
  },
  appealDecided: {
    approved: {
      subject: 'Deinem Einspruch wurde stattgegeben',
      told: 'Die Moderation hat dem Einspruch deines Kontos {account} gegen ihre Entscheidung vom {time} stattgegeben. Sie ist zurückgenommen und zählt nicht mehr.',
    },
    rejected: {
      subject: 'Dein Einspruch wurde abgelehnt',
      told: 'Die Moderation hat den Einspruch deines Kontos {account} gegen ihre Entscheidung vom {time} abgelehnt.',
    },
  },
  announcement: {
    subject: 'Ankündigung von {server}',
    told: 'Die Betreiber von {server} kündigen an:',
    action: '{server} öffnen',
  },
  terms: {
    subject: 'Die Nutzungsbedingungen von {server} ändern sich',
    told: 'Die Betreiber von {server} haben neue Nutzungsbedingungen veröffentlicht. Sie gelten ab dem {day}.',
    holds: 'Die Betreiber von {server} haben neue Nutzungsbedingungen veröffentlicht. Sie gelten seit dem {day}.',
    agree: 'Wer das Konto {account} dann weiter nutzt, stimmt ihnen zu.',
    action: 'Lies sie',
    willChange: 'Die Nutzungsbedingungen ändern sich am {day}: {address}',
    haveChanged: 'Die Nutzungsbedingungen haben sich geändert: {address}',
  },
  trends: {
    subject: 'Trends warten auf eine Prüfung',
    told: 'Auf {server} wird nichts zum Trend, bevor es geprüft ist. Dies würde es:',
    title: 'Hashtags, Seiten und Beiträge',
    action: 'Sie prüfen',
  },
  test: {
    subject: 'Ein Test der E-Mails von {server}',
    told: 'Diese E-Mail wurde auf der Befehlszeile des Servers angefordert. Dass sie angekommen ist, zeigt, dass der Server E-Mails senden kann.',
  },
} as const;

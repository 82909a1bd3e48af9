/** Was E-Mails sagen. */
export const mails = {
  greeting: 'Hallo {name},',
  footer: 'Diese E-Mail ist von {server}. Sie betrifft dein Konto {account}.',
  unsubscribe: 'Keine E-Mails dieser Art mehr',
  notYou: {
    password:
      'Falls du das nicht warst, setze sofort ein neues Passwort: Das beendet alle Sitzungen. Und sage denen Bescheid, die diesen Server betreiben.',
    setPassword: 'Neues Passwort setzen',
  },
  passwordChanged: {
    subject: 'Dein Passwort wurde geändert',
    told: 'Das Passwort deines Kontos {account} wurde geändert ({time}).',
  },
  test: {
    subject: 'Ein Test der E-Mails von {server}',
    told: 'Diese E-Mail wurde auf der Befehlszeile des Servers angefordert. Dass sie angekommen ist, zeigt, dass der Server E-Mails senden kann.',
  },
} as const;

/** Womit man sich anmeldet: Zwei-Faktor-Authentisierung. */
import { forms } from '../message.ts';

export const security = {
  title: 'Sicherheit',
  done: {
    enabled: 'Die Zwei-Faktor-Authentisierung ist an.',
    disabled: 'Die Zwei-Faktor-Authentisierung ist aus.',
    required:
      'Deine Rolle hier braucht Zwei-Faktor-Authentisierung. Richte eine App oder einen Passkey ein, dann geht es weiter.',
    added: 'Der Passkey ist hinzugefügt.',
    renamed: 'Der Passkey heißt jetzt anders.',
    removed: 'Der Passkey ist entfernt.',
  },
  proof: {
    password: 'Dein Passwort',
    code: 'Code',
    codeHint: 'Aus deiner Authenticator-App, oder einer deiner Wiederherstellungscodes.',
    passkey: 'Statt eines Codes einen Passkey benutzen',
  },
  twoFactor: {
    title: 'Zwei-Faktor-Authentisierung',
    introduction:
      'Wer an dein Passwort kommt, kann sich damit allein nicht anmelden: Es wird auch nach einem Code aus einer App auf deinem Telefon gefragt.',
    setUp: 'Authenticator-App einrichten',
    isOn: 'Deine Authenticator-App ist seit dem {day} eingerichtet.',
    disableTitle: 'Ausschalten',
    disableWithPasskeys:
      'Dann reicht dein Passwort zum Anmelden. Deine Wiederherstellungscodes und deine Passkeys sind weg.',
    disableIntroduction: 'Dann reicht dein Passwort zum Anmelden. Deine Wiederherstellungscodes sind weg.',
    disable: 'Zwei-Faktor-Authentisierung ausschalten',
  },
  passkeys: {
    title: 'Passkeys',
    introduction:
      'Ein Passkey liegt auf deinem Gerät oder auf einem Schlüssel an deinem Schlüsselbund, und du öffnest ihn mit Finger, Gesicht oder PIN. Damit meldest du dich ohne Passwort an, und niemand kann ihn dir entlocken.',
    details: 'Hinzugefügt am {day}, zuletzt benutzt {used}',
    detailsUnused: 'Hinzugefügt am {day}, nie benutzt',
    isBackedUp: 'Er liegt auf mehr als einem deiner Geräte.',
    change: 'Ändern',
    another: 'Noch ein Passkey',
    name: 'Name',
    nameHint: 'Woran du ihn wiedererkennst, etwa der Name des Geräts.',
    add: 'Passkey hinzufügen',
    notDone: 'Das hat nicht geklappt oder wurde abgebrochen. Bitte versuch es noch einmal.',
    noHost: 'Passkeys brauchen einen Server mit eigenem Namen: Dieser wird über eine IP-Adresse erreicht.',
    rename: 'Namen speichern',
    removeTitle: 'Entfernen',
    removeHint: 'Er meldet dich nicht mehr an. Entferne ihn auch von deinem Gerät.',
    remove: 'Passkey entfernen',
    back: 'Alle Passkeys',
  },
  app: {
    title: 'Authenticator-App einrichten',
    scan: 'Lies dieses Bild mit der App ein.',
    type: 'Oder tippe das hier in sie ein:',
    code: 'Code',
    codeHint: 'Die sechs Ziffern, die die App jetzt zeigt. Sie beweisen, dass sie verstanden hat.',
    confirm: 'Zwei-Faktor-Authentisierung einschalten',
  },
  recovery: {
    title: 'Wiederherstellungscodes',
    introduction: 'Mit einem davon meldest du dich an, wenn du die App nicht hast. Jeder gilt einmal.',
    shownOnce:
      'Drucke diese Codes aus oder schreibe sie auf, und bewahre sie so auf, dass du sie ohne dein Telefon findest. Sie werden nur dieses eine Mal gezeigt.',
    left: forms({ one: '{count} Code ist übrig.', other: '{count} Codes sind übrig.' }),
    renew: 'Neue Codes machen',
  },
} as const;

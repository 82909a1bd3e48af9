/** Language codes as clients send them: ISO 639, perhaps with a region. */

const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/;

export function isLanguage(given: string): boolean {
  return languagePattern.test(given);
}

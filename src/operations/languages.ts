/** Languages as clients name them: an ISO 639 code, perhaps with a region. */

const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/;

export function isLanguage(given: string): boolean {
  return languagePattern.test(given);
}

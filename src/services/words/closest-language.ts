/** Which of several languages is closest to a wanted one. */

/** The code that is the same, or else of the same language and script and, if possible, region. */
export function closestLanguage(codes: readonly string[], wanted: string): string | undefined {
  const same = codes.find((code) => code.toLowerCase() === wanted.toLowerCase());
  if (same !== undefined) return same;
  const parts = likelyParts(wanted);
  if (parts === undefined) return undefined;
  const alike = codes.filter((code) => {
    const offered = likelyParts(code);
    return offered?.language === parts.language && offered.script === parts.script;
  });
  return alike.find((code) => likelyParts(code)?.region === parts.region) ?? alike[0];
}

/** Language, script and region (BCP 47). */
const localePattern = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

/** With the script and region that are usual where none is written; undefined for what is no code. */
function likelyParts(code: string): Intl.Locale | undefined {
  return localePattern.test(code) ? new Intl.Locale(code).maximize() : undefined;
}

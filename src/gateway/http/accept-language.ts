/** The languages that a client asks for (RFC 9110 section 12.5.4). */

const rangePattern = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The one that it likes best, as written; undefined where it names none. */
export function preferredLanguage(header = ''): string | undefined {
  let best: { readonly language: string; readonly weight: number } | undefined;
  for (const range of header.split(',')) {
    const [, language, weight = '1'] = rangePattern.exec(range.replaceAll(/\s/g, '')) ?? [];
    if (language !== undefined && Number(weight) > (best?.weight ?? 0)) best = { language, weight: Number(weight) };
  }
  return best?.language;
}

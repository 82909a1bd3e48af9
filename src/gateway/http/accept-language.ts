/** The languages that a client asks for (RFC 9110 section 12.5.4). */

const rangePattern = /^([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** As written, the most wanted first; those with the weight 0 are left out. */
export function acceptedLanguages(header = ''): string[] {
  const ranges = header.split(',').flatMap((range) => {
    const [, language, weight = '1'] = rangePattern.exec(range.replaceAll(/\s/g, '')) ?? [];
    return language === undefined || Number(weight) === 0 ? [] : [{ language, weight: Number(weight) }];
  });
  return ranges.sort((one, other) => other.weight - one.weight).map(({ language }) => language);
}

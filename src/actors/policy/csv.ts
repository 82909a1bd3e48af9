/** Comma-separated values (RFC 4180). Pure. */
export interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
}

/** RFC 4180, with line feeds alone as well. Empty lines are left out. */
export function recordsOf(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let values: string[] = [];
  let line = 1;
  let begins = 1;
  const end = () => {
    if (values.some((value) => value.trim() !== '')) records.push({ line: begins, values });
    values = [];
  };
  for (const [, quoted, plain = '', separator] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const value = quoted?.replaceAll('""', '"') ?? plain;
    values.push(value);
    line += value.split('\n').length - 1;
    if (separator === ',') continue;
    end();
    line += 1;
    begins = line;
  }
  return records;
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
};

/** As Mastodon and its kin write yes and no. Undefined for what is neither. */
export function truthOf(value: string): boolean | undefined {
  return truths[value.toLowerCase()];
}

export function csvLine(values: readonly string[]): string {
  return `${values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\n`;
}

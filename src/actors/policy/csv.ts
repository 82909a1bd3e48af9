/** Comma-separated values (RFC 4180). Pure. */
export interface CsvRecord {
  readonly line: number;
  readonly values: readonly string[];
}

/** A line of more is none of a list that anybody has written, and ends the reading. */
const valuesMax = 1_000;

/** RFC 4180, with line feeds alone as well. Empty lines are left out, and whatever follows `recordsMax`. */
export function recordsOf(text: string, recordsMax = Number.POSITIVE_INFINITY): CsvRecord[] {
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
    if (separator === ',' && values.length < valuesMax) continue;
    end();
    if (separator === ',' || records.length === recordsMax) break;
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

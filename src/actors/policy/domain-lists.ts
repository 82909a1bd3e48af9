/**
 * Lists of servers as files of comma-separated values, in the form that Mastodon and the tools around it exchange. Pure.
 */
import { type CsvRecord, recordsOf, truthOf } from './csv.ts';
import { type DomainRule, type DomainSeverity, domainSeverities } from './domains.ts';

const columns = ['domain', 'severity', 'reject_media', 'reject_reports', 'public_comment', 'obfuscate'] as const;
type Column = (typeof columns)[number];

export interface ListedDomain extends DomainRule {
  /** As it stands there, in lower case. */
  readonly domain: string;
  readonly publicComment: string;
  readonly obfuscate: boolean;
}

/** Longer than any name. What is no domain is shown to whoever gave the list. */
const domainCharactersMax = 300;

export interface ListedRow {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly domain: string;
  /** Undefined for a row that cannot be read. */
  readonly listed: ListedDomain | undefined;
}

/**
 * Without a header the first column names domains, which are suspended. Columns that are not known are ignored: private
 * comments of another server are not for this one. At most one row more than `rowsMax` is read.
 */
export function readDomainList(text: string, rowsMax = Number.POSITIVE_INFINITY): ListedRow[] {
  const [first, ...rest] = recordsOf(text.replace(/^\uFEFF/, ''), rowsMax + 2);
  if (first === undefined) return [];
  const names = first.values.map(nameOfColumn);
  if (names[0] === 'domain') return rest.map((record) => rowOf(record, names));
  return [first, ...rest].map((record) => rowOf(record, ['domain']));
}

/** `#domain` or `domain`. */
function nameOfColumn(given: string): Column | undefined {
  const name = given.trim().toLowerCase().replace(/^#/, '');
  return columns.find((column) => column === name);
}

function rowOf({ line, values }: CsvRecord, names: readonly (Column | undefined)[]): ListedRow {
  const valueIn = (column: Column) => (values[names.indexOf(column)] ?? '').trim();
  const domain = valueIn('domain').toLowerCase();
  if (domain.length > domainCharactersMax)
    return { line, domain: `${domain.slice(0, domainCharactersMax)}…`, listed: undefined };
  const word = valueIn('severity').toLowerCase() || (names.includes('severity') ? 'noop' : 'suspend');
  const severity = domainSeverities.find((one) => one === word);
  const flags = (['reject_media', 'reject_reports', 'obfuscate'] as const).map((column) =>
    truthOf(valueIn(column) || 'false'),
  );
  const [rejectMedia, rejectReports, obfuscate] = flags;
  if (severity === undefined || rejectMedia === undefined || rejectReports === undefined || obfuscate === undefined)
    return { line, domain, listed: undefined };
  const publicComment = valueIn('public_comment');
  return { line, domain, listed: { domain, severity, rejectMedia, rejectReports, obfuscate, publicComment } };
}

export function writeDomainBlocks(rules: Iterable<Exported>): string {
  const rows = Array.from(rules, ({ domain, severity, rejectMedia, rejectReports, publicComment = '', obfuscate }) =>
    [domain, severity, rejectMedia, rejectReports, publicComment, obfuscate]
      .map((value) => quoted(String(value)))
      .join(','),
  );
  return lines([columns.map((column) => `#${column}`).join(','), ...rows]);
}

interface Exported extends DomainRule {
  readonly domain: string;
  readonly severity: DomainSeverity;
  readonly publicComment?: string | undefined;
  readonly obfuscate: boolean;
}

export function writeDomainAllows(domains: Iterable<string>): string {
  return lines(['#domain', ...domains]);
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function lines(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join('');
}

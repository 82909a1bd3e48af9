/** Reads lists of domains in the forms in which they are published. Pure. */
import { readDomainList } from './domain-lists.ts';
import { domainSeverities } from './domains.ts';
import type { ListedContent, ListForm } from './listed-domains.ts';

export interface NamedDomain {
  /** As it stands there, in lower case. */
  readonly domain: string;
  /** Undefined for a row that cannot be read. */
  readonly content: ListedContent | undefined;
}

/** Undefined for what has another form altogether. */
export function readSubscribedList(form: ListForm, text: string): NamedDomain[] | undefined {
  if (form === 'json') return readJsonList(text);
  return form === 'csv' ? readDomainList(text).map(ofRow) : readPlainList(text);
}

const suspension: ListedContent = { severity: 'suspend', rejectMedia: false, rejectReports: false, obfuscate: false };

function ofRow({ domain, listed }: ReturnType<typeof readDomainList>[number]): NamedDomain {
  if (listed === undefined) return { domain, content: undefined };
  const { domain: _domain, publicComment, ...rule } = listed;
  return { domain, content: { ...rule, ...(publicComment !== '' && { publicComment }) } };
}

/** What follows `#` is a remark. */
function readPlainList(text: string): NamedDomain[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const domains = lines.map((line) => line.replace(/#.*$/, '').trim().toLowerCase());
  return domains.filter((domain) => domain !== '').map((domain) => ({ domain, content: suspension }));
}

function readJsonList(text: string): NamedDomain[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  return Array.isArray(list) ? list.map(ofObject) : undefined;
}

function ofObject(given: unknown): NamedDomain {
  if (typeof given !== 'object' || given === null) return { domain: '', content: undefined };
  const fields = given as Readonly<Record<string, unknown>>;
  const { domain, severity, silenced_at: silencedAt, reject_media, reject_reports, obfuscate } = fields;
  if (typeof domain !== 'string') return { domain: '', content: undefined };
  const word = severity ?? (typeof silencedAt === 'string' && silencedAt !== '' ? 'silence' : 'suspend');
  const known = domainSeverities.find((one) => one === word);
  const said = [fields.public_comment, fields.comment].find((one) => typeof one === 'string' && one.trim() !== '');
  const comment = typeof said === 'string' ? said.trim() : undefined;
  const content = known && {
    ...{ severity: known, rejectMedia: reject_media === true, rejectReports: reject_reports === true },
    ...{ obfuscate: obfuscate === true, ...(comment !== undefined && { publicComment: comment }) },
  };
  return { domain: domain.trim().toLowerCase(), content };
}

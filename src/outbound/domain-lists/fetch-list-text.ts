/** Fetches the text of a list of domains, unless it is as it was. */
import type { ListProblem, ListValidators } from '../../actors/instance/domain-lists/domain-lists.records.ts';
import { instanceLimits } from '../../actors/instance/limits.ts';
import type { ListForm } from '../../actors/policy/listed-domains.ts';
import type { FetchedResource, FetchFailureKind } from '../fetcher/fetch-result.ts';
import type { Fetcher } from '../fetcher/fetcher.ts';
import { headerValue } from '../fetcher/response-headers.ts';

export interface ListFailure {
  readonly problem: ListProblem;
  /** Without anything secret. */
  readonly detail: string;
  /** The host asks for this pause. */
  readonly waitMilliseconds?: number | undefined;
}

export interface ListText {
  readonly text: string;
  readonly validators: ListValidators;
}

interface Wanted {
  readonly url: string;
  readonly form: ListForm;
  /** Of the version that is here. */
  readonly validators?: ListValidators | undefined;
}

const accepted: Readonly<Record<ListForm, string>> = {
  csv: 'text/csv, text/plain;q=0.9, */*;q=0.1',
  plain: 'text/plain, */*;q=0.1',
  json: 'application/json, */*;q=0.1',
};

const problemOf: Readonly<Record<FetchFailureKind, ListProblem>> = {
  gone: 'notFound',
  notFound: 'notFound',
  refused: 'refused',
  throttled: 'throttled',
  unreachable: 'unreachable',
  invalid: 'invalid',
  blocked: 'address',
  busy: 'unreachable',
};

export async function fetchListText(
  fetcher: Fetcher,
  { url, form, validators }: Wanted,
): Promise<ListText | ListFailure | 'unchanged'> {
  const { domainListBytesMax: bytesMax } = instanceLimits;
  const found = await fetcher.get({ url, accept: accepted[form], bytesMax, mayCut: true, fresh: true, validators });
  if (!found.ok) {
    const { kind, detail, retryAfterMilliseconds: waitMilliseconds } = found;
    return { problem: problemOf[kind], detail, ...(kind === 'throttled' && { waitMilliseconds }) };
  }
  if (found.status === 304) return 'unchanged';
  const text = textOf(found);
  return typeof text === 'string' ? { text, validators: validatorsOf(found) } : text;
}

function textOf({ body, cut, contentType }: FetchedResource): string | ListFailure {
  if (cut) return { problem: 'tooLarge', detail: `more than ${instanceLimits.domainListBytesMax} bytes` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return { problem: 'notText', detail: 'it is not in UTF-8' };
    throw error;
  }
  const isPage = /^\s*text\/html\b/i.test(contentType) || /^\s*<(?:!doctype\s+html|html)\b/i.test(text);
  return isPage ? { problem: 'page', detail: 'it is a page in HTML' } : text;
}

const validatorCharactersMax = 1_000;

function validatorsOf({ headers }: FetchedResource): ListValidators {
  const [etag, lastModified] = ['etag', 'last-modified']
    .map((name) => headerValue(headers, name))
    .map((value) => (value !== undefined && value.length <= validatorCharactersMax ? value : undefined));
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

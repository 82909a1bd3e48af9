/** The two documents of discovery: WebFinger's JRD (RFC 7033) and host-meta's XRD (RFC 6415). Pure. */

import { isJsonObject, parseJsonObject } from '../../outbound/fetcher/json.ts';
import { isActivityType } from '../fetch-activity-document.ts';
import { discoveryLimits } from './limits.ts';

export interface ResourceDescriptor {
  /** As written, mostly `acct:user@host`; undefined when missing. */
  readonly subject: string | undefined;
  /** The `href` of the link to the ActivityPub actor; undefined when there is none. */
  readonly actorUrl: string | undefined;
}

/** Parses a JRD; undefined for anything else. */
export function parseJrd(body: Buffer): ResourceDescriptor | undefined {
  const document = parseJsonObject(body, discoveryLimits.jrdDepthMax);
  if (document === undefined) return undefined;
  const { subject, links } = document;
  let actorUrl: string | undefined;
  for (const link of Array.isArray(links) ? links.slice(0, discoveryLimits.jrdLinksMax) : []) {
    if (!isJsonObject(link)) continue;
    const { rel, type, href } = link;
    if (rel !== 'self' || typeof type !== 'string' || typeof href !== 'string' || !isActivityType(type)) continue;
    actorUrl = href;
    break;
  }
  return { subject: typeof subject === 'string' ? subject : undefined, actorUrl };
}

/** Every repetition is bounded: the document is untrusted, and a slow match would block the thread. */
const linkPattern = /<(?:[a-z]{1,20}:)?Link\s([^<>]{1,4096})>/gi;
const attributePattern = /\b([a-z]{1,20})\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)')/gi;

/** The template of host-meta's `lrdd` link, with its `{uri}`; undefined when the document has none. */
export function parseHostMeta(body: string): string | undefined {
  for (const link of body.matchAll(linkPattern)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single] of link[1]!.matchAll(attributePattern)) {
      attributes.set(name.toLowerCase(), double ?? single ?? '');
    }
    const template = attributes.get('template');
    if (attributes.get('rel') === 'lrdd' && template?.includes('{uri}') === true) return unescapeXml(template);
  }
  return undefined;
}

function unescapeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

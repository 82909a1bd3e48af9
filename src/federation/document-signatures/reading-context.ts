/**
 * The terms by which this server reads activities and statuses, as JSON-LD. A signed document counts only as far as these
 * terms say the same as the contexts that it was signed with (meaning.ts).
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { activityStreams } from './contexts/activity-streams.ts';

const as = 'https://www.w3.org/ns/activitystreams#';
const toot = 'http://joinmastodon.org/ns#';
const gts = 'https://gotosocial.org/ns#';

/** Beside those of ActivityStreams. */
const extensions = {
  sensitive: `${as}sensitive`,
  Hashtag: `${as}Hashtag`,
  quoteUrl: `${as}quoteUrl`,
  Emoji: `${toot}Emoji`,
  blurhash: `${toot}blurhash`,
  focalPoint: { '@id': `${toot}focalPoint`, '@container': '@list' },
  votersCount: `${toot}votersCount`,
  quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
  quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
  directMessage: 'http://litepub.social/ns#directMessage',
  interactionPolicy: { '@id': `${gts}interactionPolicy`, '@type': '@id' },
  canQuote: { '@id': `${gts}canQuote`, '@type': '@id' },
  automaticApproval: { '@id': `${gts}automaticApproval`, '@type': '@id' },
  manualApproval: { '@id': `${gts}manualApproval`, '@type': '@id' },
  FeaturedCollection: 'https://w3id.org/fep/7aa9#FeaturedCollection',
} as const;

export const readingContext: JsonValue = ['https://www.w3.org/ns/activitystreams', extensions];

const definitions = { ...(activityStreams as JsonObject), ...extensions };
const prefixes = new Map(
  Object.entries(activityStreams as JsonObject).filter(([, value]) => /^https?:.*[#/]$/.test(String(value))),
);

function addressIn(definition: JsonValue | undefined): string | undefined {
  const name = isJsonObject(definition) ? definition['@id'] : definition;
  if (typeof name !== 'string' || name.startsWith('@')) return undefined;
  const colonAt = name.indexOf(':');
  const prefix = prefixes.get(name.slice(0, colonAt));
  return prefix === undefined ? name : `${String(prefix)}${name.slice(colonAt + 1)}`;
}

/** What this server reads of a document: the terms, and the addresses that they stand for. */
export const readTerms: ReadonlySet<string> = new Set(
  Object.keys(definitions).filter((term) => !term.startsWith('@') && !prefixes.has(term)),
);
export const readAddresses: ReadonlySet<string> = new Set(
  Object.values(definitions).flatMap((definition) => addressIn(definition) ?? []),
);
/** Terms for texts by language. */
export const languageTerms: ReadonlySet<string> = new Set(['contentMap', 'nameMap', 'summaryMap']);

/** Terms of ActivityStreams for reading and writing documents. */

export const publicAudience = 'https://www.w3.org/ns/activitystreams#Public';
const publicNames: ReadonlySet<string> = new Set([publicAudience, 'as:Public', 'Public']);

export function isPublicAudience(name: string): boolean {
  return publicNames.has(name);
}

export const actorTypes: ReadonlySet<string> = new Set(['Person', 'Service', 'Application', 'Group', 'Organization']);

/** Objects that are statuses, and those that are shown as one: title, text and a link. */
const noteTypes: ReadonlySet<string> = new Set(['Note', 'Question']);
export const convertedTypes: ReadonlySet<string> = new Set(['Article', 'Page', 'Image', 'Audio', 'Video', 'Event']);

export function isStatusType(type: string | undefined): boolean {
  return type !== undefined && (noteTypes.has(type) || convertedTypes.has(type));
}

export const attachmentTypes: ReadonlySet<string> = new Set(['Document', 'Image', 'Video', 'Audio']);

/** FEP-7aa9: collections of accounts. */
export const fep7aa9 = 'https://w3id.org/fep/7aa9#';

export const activityContentType = 'application/activity+json; charset=utf-8';

/** How an actor says that its server verifies them (FEP-844e). */
export const messageSignatures = {
  name: 'RFC-9421: HTTP Message Signatures',
  href: 'https://datatracker.ietf.org/doc/html/rfc9421',
} as const;

/**
 * Whether a request wants the ActivityPub form of an object that also has a page (ActivityPub, section 3.2). Servers
 * accept one of the types of ActivityPub; browsers accept text/html, or none of these.
 */

/** `application/json` is sent by some libraries, and by no browser. */
const activityType = /^application\/(?:activity\+json|ld\+json|json)$/;
const pageType = /^(?:text\/html|application\/xhtml\+xml)$/;
const qualityPattern = /;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*(?:;|$)/;
const entriesMax = 32;

export function wantsActivity(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  let activity = 0;
  let page = 0;
  for (const entry of accept.toLowerCase().split(',', entriesMax)) {
    const type = entry.split(';', 1)[0]!.trim();
    const isActivity = activityType.test(type);
    if (!isActivity && !pageType.test(type)) continue;
    const quality = Number(qualityPattern.exec(entry)?.[1] ?? 1);
    if (isActivity) activity = Math.max(activity, quality);
    else page = Math.max(page, quality);
  }
  return activity > 0 && activity >= page;
}

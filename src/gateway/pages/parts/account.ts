/** Accounts: their pictures and names. */
import type { Profile } from '../../../actors/account/profile/profile.records.ts';
import { defaultLook } from '../../../services/media/default-pictures.ts';
import { shownPicture } from '../../../services/media/shown-pictures.ts';
import { type Html, html } from '../../../services/words/html.ts';
import type { Visit } from '../visit.ts';
import { accountPath, handleOf } from './links.ts';
import { storedText } from './stored.ts';

/** Decorative: the name stands beside it. An account without a picture gets its initials and a colour. */
export function avatar({ services }: Visit, profile: Profile, pixels: number): Html {
  const own = shownPicture(services.addresses, profile, 'avatar');
  if (own !== undefined) {
    return html`<img class="avatar" src="${own.still}" alt="" width="${pixels}" height="${pixels}" loading="lazy">`;
  }
  const { tint, mark } = defaultLook(profile.id);
  return html`<svg class="avatar tint-${tint}" width="${pixels}" height="${pixels}" viewBox="0 0 48 48" aria-hidden="true"><use href="#mark-${mark}"/><text x="24" y="24">${letters(profile)}</text></svg>`;
}

/** The first letters of the first two words of the name. */
function letters(profile: Profile): string {
  const words = plainName(profile).match(/[\p{L}\p{N}]+/gu) ?? [profile.username];
  return words
    .slice(0, 2)
    .map((word) => [...word][0]!.toLocaleUpperCase('en'))
    .join('');
}

/** The name as plain text, for titles. */
export function plainName({ displayName, username }: Profile): string {
  return displayName.trim() === '' ? username : displayName;
}

export function name(visit: Visit, profile: Profile): Html {
  return html`<bdi class="name">${storedText(visit, plainName(profile), profile)}</bdi>`;
}

/** Picture, name and handle, linked to the profile. */
export function byline(visit: Visit, profile: Profile): Html {
  return html`<a class="byline" href="${accountPath(visit, profile)}">${avatar(visit, profile, 46)}
<span>${name(visit, profile)} <span class="handle">@${handleOf(profile)}</span></span></a>`;
}

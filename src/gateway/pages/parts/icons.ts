/** Icons, included in a page once and referred to by name. */
import { Html, html } from '../../../services/words/html.ts';

/** Lines on a square of 24 by 24. */
const drawings = {
  reply: '<path d="M9.5 6 4 11.5 9.5 17M4 11.5h9.5a6.5 6.5 0 0 1 6.5 6.5v1"/>',
  boost:
    '<path d="m17 3 3.5 3.5L17 10m3.5-3.5H8A4.5 4.5 0 0 0 3.5 11v1M7 21l-3.5-3.5L7 14m-3.5 3.5H16a4.5 4.5 0 0 0 4.5-4.5v-1"/>',
  favourite: '<path d="m12 3.6 2.6 5.3 5.8.8-4.2 4.1 1 5.8-5.2-2.7-5.2 2.7 1-5.8-4.2-4.1 5.8-.8z"/>',
  quote: '<path d="M10 7H5v6h4a4 4 0 0 1-4 4m14-10h-5v6h4a4 4 0 0 1-4 4"/>',
  bookmark: '<path d="M6.5 4h11v16.5L12 16l-5.5 4.5z"/>',
  pin: '<path d="M8 3.5h8m-6.5 0v6L6 14h12l-3.5-4.5v-6M12 14v7"/>',
  more: '<path d="M5 12h.01M12 12h.01M19 12h.01"/>',
  public: '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3.4 3.6 3.4 14.4 0 18M12 3c-3.4 3.6-3.4 14.4 0 18"/>',
  unlisted: '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z"/>',
  private: '<rect x="5" y="10.5" width="14" height="10" rx="2"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3"/>',
  direct: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3.5 7 8.5 6.5L20.5 7"/>',
  home: '<path d="m4 11 8-7 8 7v8.5a1 1 0 0 1-1 1h-4.5v-6h-5v6H5a1 1 0 0 1-1-1z"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20v-.5a5 5 0 0 1 5-5h3a5 5 0 0 1 5 5v.5M16 4.7a3.5 3.5 0 0 1 0 6.6M18 14.8a5 5 0 0 1 3.5 4.7v.5"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20.5v-.5a6 6 0 0 1 6-6h3a6 6 0 0 1 6 6v.5"/>',
  about: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5h.01"/>',
  find: '<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>',
  explore: '<path d="m3.5 17 6-6 4 4 7-7m0 0v5m0-5h-5"/>',
  bell: '<path d="M6 17V10.5a6 6 0 0 1 12 0V17l1.5 2h-15zM10 21.5h4"/>',
  settings: '<path d="M4 7h9m4 0h3M4 17h3m4 0h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  edit: '<path d="m4 20 1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5"/>',
  list: '<path d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.01M4 12h.01M4 17.5h.01"/>',
  poll: '<path d="M4 6h16M4 12h10M4 18h13"/>',
  smile: '<circle cx="12" cy="12" r="9"/><path d="M8.5 14.5a4.2 4.2 0 0 0 7 0M9 9.5h.01M15 9.5h.01"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  media:
    '<rect x="3" y="4.5" width="18" height="15" rx="2"/><circle cx="8.5" cy="10" r="1.8"/><path d="m4 18 5.5-5 3.5 3 3-2.5 4.5 4"/>',
  earlier: '<path d="M19 12H5m6-6-6 6 6 6"/>',
  later: '<path d="M5 12h14m-6-6 6 6-6 6"/>',
  remove: '<path d="M5 6.5h14M9.5 6V4h5v2M7 6.5l1 13.5h8l1-13.5M10.5 10.5v6m3-6v6"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
} as const;

export type IconName = keyof typeof drawings;

const symbols = Object.entries(drawings).map(
  ([name, drawing]) => html`<symbol id="icon-${name}" viewBox="0 0 24 24">${new Html(drawing)}</symbol>`,
);

/** Shapes behind the initials of an account without a picture, on a square of 48 by 48. */
const markDrawings = [
  '<circle cx="44" cy="6" r="20"/>',
  '<path d="M0 48V26L48 10V48Z"/>',
  '<circle cx="4" cy="44" r="22"/>',
  '<path d="M0 0H22L8 48H0Z"/>',
  '<path d="M0 0H48V12Q24 26 0 12Z"/>',
];
const markSymbols = markDrawings.map(
  (drawing, index) => html`<symbol id="mark-${index}" viewBox="0 0 48 48">${new Html(drawing)}</symbol>`,
);

/** Included once in a page that uses icons. */
export const iconSheet = html`<svg class="sheet" aria-hidden="true">${symbols}${markSymbols}</svg>`;

/** Decorative: the words stand beside it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"/></svg>`;
}

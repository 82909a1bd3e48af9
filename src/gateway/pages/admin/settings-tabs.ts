/** What the server says of itself, as tabs of each other. */
import type { Html } from '../../../services/words/html.ts';
import { tabs } from '../parts/tabs.ts';
import type { StaffVisit } from './visitor.ts';

export const settingsPages = {
  settings: '/admin/settings',
  picture: '/admin/settings/picture',
  documents: '/admin/settings/documents',
  terms: '/admin/settings/terms',
} as const;

export function settingsTabs({ words: { keeping } }: StaffVisit, current: keyof typeof settingsPages): Html {
  const names = Object.keys(settingsPages) as (keyof typeof settingsPages)[];
  return tabs(
    keeping.texts.tabsTitle,
    names.map((name) => ({
      words: keeping.texts.tabs[name],
      path: settingsPages[name],
      isCurrent: name === current,
    })),
  );
}

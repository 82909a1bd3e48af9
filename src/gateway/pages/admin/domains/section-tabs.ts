/** The pages about other servers, as tabs of each other. */
import type { Html } from '../../../../services/words/html.ts';
import { tabs } from '../../parts/tabs.ts';
import type { StaffVisit } from '../visitor.ts';

const pages = {
  known: '/admin/servers',
  blocks: '/admin/domains',
  subscriptions: '/admin/domains/subscriptions',
  allows: '/admin/domains/allowed',
  lists: '/admin/domains/lists',
} as const;

export function sectionTabs({ words: { servers, blocklists } }: StaffVisit, current: keyof typeof pages): Html {
  const words = {
    known: servers.known.title,
    ...{ blocks: servers.blocks, subscriptions: blocklists.title },
    ...{ allows: servers.allows, lists: servers.lists.title },
  };
  const names = Object.keys(pages) as (keyof typeof pages)[];
  return tabs(
    servers.title,
    names.map((name) => ({ words: words[name], path: pages[name], isCurrent: name === current })),
  );
}

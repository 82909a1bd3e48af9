/**
 * Avoids empty pages while there is something to show: many readers take an empty page for the end. Reading continues
 * past hidden entries, up to a bound, and lets other requests run in between.
 */
import { setImmediate } from 'node:timers/promises';
import { readingLimits } from '../../actors/limits.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';

type Reading<Item> = (bounds: PageBounds) => Page<Item> | Promise<Page<Item>>;

/** Synchronous where the first read is and finds an item or the end of the list. */
export function filledPage<Item>(bounds: PageBounds, read: Reading<Item>): Page<Item> | Promise<Page<Item>> {
  const page = read(bounds);
  return !(page instanceof Promise) && isFinal(page) ? page : readOn(page, bounds, read);
}

function isFinal<Item>(page: Page<Item>): boolean {
  return page.items.length > 0 || !page.full;
}

async function readOn<Item>(
  begun: Page<Item> | Promise<Page<Item>>,
  bounds: PageBounds,
  read: Reading<Item>,
): Promise<Page<Item>> {
  const upwards = readsUpwards(bounds);
  const first = await begun;
  let page = first;
  for (let reading = 1; reading < readingLimits.readingsPerPageMax && !isFinal(page); reading += 1) {
    await setImmediate();
    page = await read(upwards ? { ...bounds, minId: page.newest } : { ...bounds, maxId: page.oldest });
  }
  if (page.items.length > 0) return page;
  return upwards ? { ...page, oldest: first.oldest } : { ...page, newest: first.newest };
}

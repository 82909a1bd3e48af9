/**
 * Avoids empty pages while there is something to show: many clients take an empty page for the end. Reading continues
 * past hidden entries, up to a bound, and lets other requests run in between.
 */
import { setImmediate } from 'node:timers/promises';
import { readingLimits } from '../../actors/limits.ts';
import { type Page, type PageBounds, readsUpwards } from '../../actors/pages.ts';
import { Answer } from '../http/answers.ts';

/**
 * Synchronous where the first read finds an item or the end of the list. The body that `answer` makes need only stay
 * valid until another one is made.
 */
export function answerFilledPage<Item>(
  bounds: PageBounds,
  read: (bounds: PageBounds) => Page<Item> | Promise<Page<Item>>,
  answer: (page: Page<Item>) => Answer,
): Answer | Promise<Answer> {
  const page = read(bounds);
  if (!(page instanceof Promise) && isFinal(page)) return answer(page);
  return readOn(page, bounds, read).then((filled) => lasting(answer(filled)));
}

/** Copies the body of an answer that is written some microtasks later, because its buffer may be reused until then. */
function lasting({ status, contentType, body, headers, open }: Answer): Answer {
  const kept = body instanceof Uint8Array ? Uint8Array.from(body) : body;
  return new Answer(status, contentType, kept, headers, open);
}

function isFinal<Item>(page: Page<Item>): boolean {
  return page.items.length > 0 || !page.full;
}

async function readOn<Item>(
  begun: Page<Item> | Promise<Page<Item>>,
  bounds: PageBounds,
  read: (bounds: PageBounds) => Page<Item> | Promise<Page<Item>>,
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

/** Answers with a page of a list that is not empty while there is something to show. */
import type { Page, PageBounds } from '../../actors/pages.ts';
import { filledPage } from '../../operations/timelines/filled-page.ts';
import { Answer } from '../http/answers.ts';

/**
 * Synchronous where the page is. The body that `answer` makes need only stay valid until another one is made.
 */
export function answerFilledPage<Item>(
  bounds: PageBounds,
  read: (bounds: PageBounds) => Page<Item> | Promise<Page<Item>>,
  answer: (page: Page<Item>) => Answer,
): Answer | Promise<Answer> {
  const page = filledPage(bounds, read);
  return page instanceof Promise ? page.then((filled) => lasting(answer(filled))) : answer(page);
}

/** Copies the body of an answer that is written some microtasks later, because its buffer may be reused until then. */
export function lasting({ status, contentType, body, headers, open }: Answer): Answer {
  const kept = body instanceof Uint8Array ? Uint8Array.from(body) : body;
  return new Answer(status, contentType, kept, headers, open);
}

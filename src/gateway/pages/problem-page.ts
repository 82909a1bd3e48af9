/** The page for failures: not found, gone, not allowed. */
import type { Failure } from '../../runtime/errors.ts';
import type { Answer } from '../http/answers.ts';
import { statusOf, textOf } from '../http/failures.ts';
import { siteAnswer } from './parts/frame.ts';
import { html } from './parts/html.ts';
import type { Visit } from './visit.ts';

interface Words {
  readonly title: string;
  readonly sentence: string;
}

const wordsByStatus: Readonly<Record<number, Words>> = {
  404: { title: 'There is nothing here', sentence: 'What was here is gone, is not for everybody, or never was here.' },
  410: { title: 'This is gone', sentence: 'What was here was taken away and will not come back.' },
  429: { title: 'A little slower, please', sentence: 'There were many requests from your address. Try again later.' },
};

export function problemAnswer(visit: Visit, failure: Failure): Answer {
  const { title, sentence } = wordsByStatus[statusOf(failure)] ?? {
    title: 'That did not work',
    sentence: `${textOf(failure)}.`,
  };
  const main = html`<section class="card plain">
<h1>${title}</h1>
<p>${sentence}</p>
<p><a href="/">Go to the home page</a></p>
</section>`;
  return siteAnswer(visit, { title, main, status: statusOf(failure), isIndexed: false });
}

/** The page for failures: not found, gone, not allowed. */
import type { Failure } from '../../runtime/errors.ts';
import { html } from '../../services/words/html.ts';
import type { Words } from '../../services/words/languages.ts';
import type { Answer } from '../http/answers.ts';
import { statusOf } from '../http/failures.ts';
import { failureSentence } from './failure-sentence.ts';
import { siteAnswer } from './parts/frame.ts';
import type { Visit } from './visit.ts';

function problemWords(words: Words, failure: Failure): readonly [title: string, sentence: string] {
  const { problem } = words.site;
  switch (statusOf(failure)) {
    case 404:
      return [problem.missing, problem.missingHint];
    case 410:
      return [problem.gone, problem.goneHint];
    case 429:
      return [problem.tooMany, problem.tooManyHint];
    default:
      return [problem.other, failureSentence(words, failure)];
  }
}

/** `returnTo`: the page that it came from, where there is one. */
export function problemAnswer(visit: Visit, failure: Failure, returnTo = '/'): Answer {
  const { problem } = visit.words.site;
  const [title, sentence] = problemWords(visit.words, failure);
  const main = html`<section class="card plain">
<h1>${title}</h1>
<p id="problem">${sentence}</p>
<p><a href="${returnTo}">${returnTo === '/' ? problem.goHome : problem.openAgain}</a></p>
</section>`;
  return siteAnswer(visit, { title, main, status: statusOf(failure), isIndexed: false });
}

/** The pages for developers of applications, which are those of docs/clients, below /api/docs. */
import { readFileSync } from 'node:fs';
import { projectFile } from '../../options/project-files.ts';
import type { Services } from '../../services/services.ts';
import { html } from '../../services/words/html.ts';
import { failedPage, pageHandler } from '../pages/page-handler.ts';
import { siteAnswer } from '../pages/parts/frame.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { guideMarkup, guidePath, titleOf } from './guide-markup.ts';

/** The files of docs/clients. */
export const guides = [
  'README',
  'sandbox',
  'streaming',
  'requests',
  'push',
  'search',
  'posting',
  'own-data',
  'dialects',
] as const;

export const guideRoutes: readonly RawRoute<Services>[] = guides.map((name) => {
  let markdown: string | undefined;
  return rawRoute({
    method: 'GET',
    path: guidePath(name),
    failed: failedPage,
    handler: pageHandler((visit) => {
      markdown ??= readFileSync(projectFile(`docs/clients/${name}.md`), 'utf8');
      const main = html`<section class="card plain reference" lang="en" dir="ltr">${guideMarkup(markdown)}</section>`;
      return siteAnswer(visit, { title: titleOf(markdown), main, alone: true });
    }),
  });
});

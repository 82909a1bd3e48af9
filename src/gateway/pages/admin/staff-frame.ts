/** The frame of the pages of staff: their navigation, the title, what was done. */
import { type Html, html } from '../../../services/words/html.ts';
import type { Answer } from '../../http/answers.ts';
import { queryFields } from '../../oauth/forms.ts';
import { staffScriptAddress, staffStyleAddress } from '../assets.ts';
import { siteAnswer } from '../parts/frame.ts';
import { icon } from '../parts/icons.ts';
import { type OfferedSection, type SectionName, sectionsFor } from './sections.ts';
import type { StaffVisit } from './visitor.ts';

interface StaffPage {
  /** Undefined for the overview. */
  readonly section: SectionName | undefined;
  readonly title: string;
  /** The list that it is one of. */
  readonly back?: { readonly path: string; readonly words: string };
  readonly main: Html;
  /** What was done, as a sentence. */
  readonly done?: string | undefined;
  /** What a form was refused for. */
  readonly isRefused?: boolean;
  /** Whether that is what somebody else has decided meanwhile. */
  readonly isLate?: boolean | undefined;
}

export function staffAnswer(visit: StaffVisit, page: StaffPage): Answer {
  const { section, title, back, main, done, isRefused = false, isLate = false } = page;
  const { staff } = visit.words;
  const offered = sectionsFor(visit);
  const links = sectionLinks(visit, offered, section);
  return siteAnswer(visit, {
    title: `${title} · ${staff.title}`,
    main: html`<details class="sections"><summary class="button quiet">${icon('list')} ${staff.allSections}</summary>
<nav aria-label="${staff.allSections}">${links}</nav></details>
${back !== undefined && html`<p class="list"><a href="${back.path}">${back.words}</a></p>`}
<h1 class="list">${title}</h1>
${done !== undefined && html`<p class="card done" role="status">${done}</p>`}
${main}`,
    head: html`<link rel="stylesheet" href="${staffStyleAddress}"><script type="module" src="${staffScriptAddress}"></script>`,
    beside: html`<nav class="card sections" aria-label="${staff.navigation}">${links}</nav>`,
    current: 'admin',
    status: isLate ? 409 : isRefused ? 422 : 200,
    isIndexed: false,
  });
}

function sectionLinks({ words: { staff } }: StaffVisit, offered: readonly OfferedSection[], section?: SectionName) {
  const link = (address: string, drawing: OfferedSection['drawing'], label: string, isCurrent: boolean) =>
    html`<li><a href="${address}"${isCurrent && html` aria-current="page"`}>${icon(drawing)}<span>${label}</span></a></li>`;
  const groups = (['people', 'others', 'server'] as const).map((group) => {
    const inside = offered.filter((one) => one.group === group);
    if (inside.length === 0) return undefined;
    return html`<p class="fine">${staff.groups[group]}</p>
<ul>${inside.map(({ name, address, drawing }) => link(address, drawing, staff.sections[name], name === section))}</ul>`;
  });
  return html`<ul>${link('/admin', 'home', staff.sections.overview, section === undefined)}</ul>${groups}`;
}

/** The sentence about what was done before this page, as its address says. */
export function doneOf({ words: { staff } }: StaffVisit, { query }: { readonly query: string }): string | undefined {
  const done = queryFields(query).get('done') ?? '';
  const sentences: Readonly<Record<string, string>> = staff.done;
  return Object.hasOwn(sentences, done) ? sentences[done] : undefined;
}

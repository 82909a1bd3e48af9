/** /admin/measures: figures of a period as small charts, what occurs most, and who stays. */

import { latestPeriod } from '../../../operations/measures/period.ts';
import { type DimensionKey, type Share, showDimensions } from '../../../operations/measures/show-dimensions.ts';
import { type Measured, type MeasureKey, showMeasures } from '../../../operations/measures/show-measures.ts';
import { type Cohort, showRetention } from '../../../operations/measures/show-retention.ts';
import { type Html, html } from '../../../services/words/html.ts';
import { queryFields } from '../../oauth/forms.ts';
import { sparkLine } from '../parts/spark-line.ts';
import { tabs } from '../parts/tabs.ts';
import { mayDo } from './sections.ts';
import { staffAnswer } from './staff-frame.ts';
import { staffPage } from './staff-visit.ts';
import type { StaffVisit } from './visitor.ts';

const address = '/admin/measures';
const measures = ['activeUsers', 'newUsers', 'interactions', 'openedReports', 'resolvedReports'] as const;
const dimensions = ['servers', 'languages', 'sources', 'spaceUsage', 'softwareVersions'] as const;
const periods = [7, 30, 90, 365] as const;
const daysByDefault = 30;
const sharesShown = 8;
const monthsShown = 6;
/** So many days are within so many months, whatever months they are. */
const daysOfMonths = 28 * (monthsShown - 1);

type Shown = (typeof measures)[number] & MeasureKey;

export const measuresPage = staffPage(showMeasures.permission, async (visit, { request }) => {
  const asked = Number(queryFields(request.query).get('days'));
  const days = periods.find((one) => one === asked) ?? daysByDefault;
  const words = visit.words.measures;
  const now = visit.services.now();
  const period = latestPeriod(now, days);
  const [counted, shares, cohorts] = await Promise.all([
    figuresOf(visit, days),
    showDimensions(visit, { ...period, wanted: dimensions.map((key) => ({ key })), limit: sharesShown }),
    showRetention(visit, { ...latestPeriod(now, daysOfMonths), frequency: 'month' }),
  ]);
  const links = periods.map((one) => ({
    words: words.days({ count: one }),
    path: one === daysByDefault ? address : `${address}?days=${one}`,
    isCurrent: one === days,
  }));
  const main = html`${tabs(words.title, links)}
${counted}
${shares.map(({ key, shares: found }) => shareCard(visit, words.dimensions[key as (typeof dimensions)[number] & DimensionKey], found))}
${retention(visit, cohorts)}`;
  return staffAnswer(visit, { section: 'measures', title: words.title, main });
});

/** For the overview. */
export async function latestFigures(visit: StaffVisit): Promise<Html | undefined> {
  if (!mayDo(visit, showMeasures.permission)) return undefined;
  const words = visit.words.measures;
  return html`<section aria-label="${words.title}"><h2 class="list"><a href="${address}">${words.latest({ count: daysByDefault })}</a></h2>
${await figuresOf(visit, daysByDefault)}</section>`;
}

async function figuresOf(visit: StaffVisit, days: number): Promise<Html> {
  const period = latestPeriod(visit.services.now(), days);
  const found = await showMeasures(visit, { ...period, wanted: measures.map((key) => ({ key })) });
  return html`<div class="tiles">${found.map((one) => tile(visit, one, days))}</div>`;
}

function tile(
  { words: { measures: words, formats } }: StaffVisit,
  { key, total, previousTotal, byDay }: Measured,
  days: number,
): Html {
  const before = words.before({ number: formats.number(previousTotal ?? 0), count: days });
  return html`<div class="card figure"><h2>${words.measures[key as Shown]}</h2><p class="value">${formats.number(total)}</p><p class="fine">${before}</p>${sparkLine(byDay)}</div>`;
}

export function shareCard(
  { words: { measures: words, formats } }: StaffVisit,
  title: string,
  shares: readonly Share[],
): Html {
  const shown = ({ value, unit }: Share) =>
    typeof value === 'string' ? value : unit === 'bytes' ? formats.bytes(value) : formats.number(value);
  const rows = shares.map(
    (share) =>
      html`<li><p dir="auto"><bdi>${nameOf(words, share)}</bdi></p><span class="fine">${shown(share)}</span></li>`,
  );
  return html`<section class="card plain"><h2>${title}</h2>
${rows.length === 0 ? html`<p class="fine">${words.nothing}</p>` : html`<ul class="rows">${rows}</ul>`}</section>`;
}

/** Names of languages, applications and software are those that the API has. */
function nameOf({ shares }: StaffVisit['words']['measures'], { key, name }: Share): string {
  return Object.hasOwn(shares, key) ? shares[key as keyof typeof shares] : (name ?? key);
}

function retention({ words: { measures: words, formats } }: StaffVisit, cohorts: readonly Cohort[]): Html {
  const month = (day: number) => formats.month(day * 24 * 60 * 60 * 1_000);
  const heads = cohorts.map(({ firstDay }) => html`<th scope="col">${month(firstDay)}</th>`);
  const rows = cohorts.map(({ firstDay, retained }, index) => {
    const before = cohorts.slice(0, index).map(() => html`<td></td>`);
    const cells = retained.map(
      ({ rate, count }) => html`<td>${formats.share(rate)} <span class="fine">(${formats.number(count)})</span></td>`,
    );
    return html`<tr><th scope="row">${month(firstDay)}</th>${before}${cells}</tr>`;
  });
  return html`<section class="card plain"><h2>${words.retention}</h2><p class="fine">${words.retentionHint}</p>
<div class="scrolls" tabindex="0" role="region" aria-label="${words.retention}"><table><thead><tr><th scope="col">${words.cameIn}</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

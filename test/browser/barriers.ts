/** What a program can see of the barriers of a page (axe-core), and whether it is too wide for its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Visitor } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** With the elements that break them. */
export async function findings({ page }: Visitor, runOnly: unknown): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify({ runOnly })})`)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Whoever reads it would have to scroll sideways (WCAG 1.4.10). */
export function isTooWide({ page }: Visitor): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

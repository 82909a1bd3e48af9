/** The figures as a Markdown table, ready for bench/README.md. */
import { type Figure, meets } from './scenario.ts';

const head = ['figure', 'measured', 'spread', 'target', 'met', 'beside, in the same run'];

export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.what,
    `${format(figure.measured)} ${figure.unit}`,
    figure.lowest === undefined ? '' : `${format(figure.lowest)} – ${format(figure.highest!)}`,
    targetOf(figure),
    { true: 'yes', false: '**no**', undefined: '' }[`${meets(figure)}`],
    figure.beside,
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function targetOf({ target }: Figure): string {
  if (target?.atLeast !== undefined) return `≥ ${format(target.atLeast)}`;
  return target?.atMost === undefined ? '' : `≤ ${format(target.atMost)}`;
}

/** Three significant digits, thousands kept whole. */
function format(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
  return Number(value.toPrecision(3)).toString();
}

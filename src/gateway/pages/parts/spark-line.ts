/** Values over time as a small line, which rises to the largest of them: beside figures that say what matters. */
import { type Html, html } from '../../../services/words/html.ts';

/** `points`: how many there are once all have come; the latest is at the right. */
export function sparkLine(values: readonly number[], points = values.length): Html {
  const height = 16;
  const top = Math.max(...values, Number.EPSILON);
  const x = (index: number) => points - (values.length - 1 - index);
  const y = (value: number) => (height - 1 - (value / top) * (height - 2)).toFixed(1);
  const line = values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  return html`<svg class="spark" viewBox="0 0 ${points} ${height}" preserveAspectRatio="none" aria-hidden="true"><polyline points="${line}"/></svg>`;
}

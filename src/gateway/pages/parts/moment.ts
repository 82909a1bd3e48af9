/**
 * A time chosen in a form. Browsers send it without a zone: it counts as UTC, unless the page's script adds the
 * browser's offset at that time.
 */

import { type Html, html } from '../../../services/words/html.ts';
import type { Fields } from '../../oauth/forms.ts';
import type { Visit } from '../visit.ts';

export interface ChosenMoment {
  readonly typed: string;
  /** Milliseconds since 1970; undefined for an invalid time. */
  readonly at: number | undefined;
}

interface MomentField {
  /** Unique in the page. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly moment: ChosenMoment | undefined;
  /** Its problem, as a sentence. */
  readonly problem: string | undefined;
}

const minute = 60_000;
const typedPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;
const offsetPattern = /^-?\d{1,4}$/;

export function momentField({ words }: Visit, { id, name, label, moment, problem }: MomentField): Html {
  const { typed = '', at } = moment ?? {};
  const value = at === undefined ? typed : new Date(at).toISOString().slice(0, 16);
  const described = html` aria-describedby="${id}-zone${problem !== undefined && ` ${id}-problem`}"`;
  return html`<div class="field moment"><label for="${id}">${label}</label>
<input type="datetime-local" id="${id}" name="${name}" value="${value}" autocomplete="off"${at !== undefined && html` data-at="${at}"`}${described}${
    problem !== undefined && html` aria-invalid="true"`
  }>
<input type="hidden" name="${offsetName(name)}">
<p class="fine" id="${id}-zone" data-in-zone="${words.writing.moment.inZone.source}">${words.writing.moment.inUtc}</p>
${problem !== undefined && html`<p class="wrong" id="${id}-problem">${problem}</p>`}</div>`;
}

/** Undefined where nothing was chosen. */
export function chosenMoment(fields: Fields, name: string): ChosenMoment | undefined {
  const typed = fields.get(name);
  if (typed === undefined) return undefined;
  const offset = fields.get(offsetName(name)) ?? '0';
  const at = typedPattern.test(typed) ? Date.parse(`${typed}Z`) : Number.NaN;
  const isTime = !Number.isNaN(at) && offsetPattern.test(offset);
  return { typed, at: isTime ? at + Number(offset) * minute : undefined };
}

/** In minutes, from the browser's time to UTC. */
function offsetName(name: string): string {
  return `${name}_offset`;
}

/** Where a picture is cropped: classes of the style sheet, because no element of a page has a style of its own. */
import type { Attachment } from '../../../actors/account/media/media.records.ts';

const steps = 10;

/** `fx-0` is the left and `fy-0` the top edge, `fx-10` and `fy-10` the opposite ones. */
export function focusClasses({ focusX = 0, focusY = 0 }: Pick<Attachment, 'focusX' | 'focusY'>): string {
  return `fx-${stepOf(focusX)} fy-${stepOf(-focusY)}`;
}

function stepOf(coordinate: number): number {
  return Math.round(((Math.max(-1, Math.min(1, coordinate)) + 1) / 2) * steps);
}

/** Which words of a text were taken out and which were added to make another. */

export interface WordChange {
  readonly kind: 'kept' | 'added' | 'removed';
  readonly text: string;
}

/** Comparing each word with each other: above this many pairs everything between the first and the last change is one. */
const pairsMax = 100_000;

/** Words and what stands between them. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu) ?? [];
}

/** In the order of the text; next to each other none are of the same kind. */
export function wordChanges(before: string, after: string): WordChange[] {
  const [old, fresh] = [piecesOf(before), piecesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const isSameFromEnd = () => old[old.length - 1 - end] === fresh[fresh.length - 1 - end];
  while (end < Math.min(old.length, fresh.length) - start && isSameFromEnd()) end += 1;
  const changed = changesBetween(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  return joined([kept(old.slice(0, start)), ...changed, kept(old.slice(old.length - end))]);
}

function kept(pieces: readonly string[]): WordChange {
  return { kind: 'kept', text: pieces.join('') };
}

/** By the longest common subsequence. */
function changesBetween(old: readonly string[], fresh: readonly string[]): WordChange[] {
  const removed = (pieces: readonly string[]): WordChange => ({ kind: 'removed', text: pieces.join('') });
  const added = (pieces: readonly string[]): WordChange => ({ kind: 'added', text: pieces.join('') });
  if (old.length * fresh.length > pairsMax) return [removed(old), added(fresh)];
  const width = fresh.length + 1;
  /** How long the common subsequence of what follows is, from each pair of positions. */
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      lengths[at] =
        old[row] === fresh[column] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  const changes: WordChange[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    const at = row * width + column;
    if (old[row] === fresh[column]) {
      changes.push(kept([old[row]!]));
      row += 1;
      column += 1;
    } else if (lengths[at + width]! >= lengths[at + 1]!) {
      changes.push(removed([old[row]!]));
      row += 1;
    } else {
      changes.push(added([fresh[column]!]));
      column += 1;
    }
  }
  return [...changes, removed(old.slice(row)), added(fresh.slice(column))];
}

function joined(changes: readonly WordChange[]): WordChange[] {
  const result: WordChange[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    if (change.text === '') continue;
    if (last?.kind === change.kind) result[result.length - 1] = { ...last, text: last.text + change.text };
    else result.push(change);
  }
  return result;
}

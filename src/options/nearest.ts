/** Suggests the known name that an unknown one was probably meant to be. */

/** The most similar name, or undefined when none is close. Case is ignored. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const written = given.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const candidate = name.toLowerCase();
    const shortened = written.length >= 3 && candidate.startsWith(written);
    const distance = shortened ? 1 : editDistance(written, candidate);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** The number of letters to insert, remove or replace to turn one text into the other (Levenshtein). */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[right.length]!;
}

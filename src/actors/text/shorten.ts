/** Cuts plain text for titles, previews and push messages. */

/** To so many characters (code points), the ellipsis included; at a word boundary if there is one. */
export function shorten(text: string, charactersMax: number): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  const cut = characters.slice(0, charactersMax - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > charactersMax / 2 ? cut.slice(0, space) : cut}…`;
}

/** The mark that a post carries through the server, so that its receipts are known. All markers are of one length. */

/** Stands in a request where the marker goes. */
export const markerText = 'bench~marker~';
export const markerPattern = /bench~\d{6}~/;

const start = Buffer.from('bench~');
const digits = 6;
const roomOfRun = 500_000;

export function markerOf(number: number): string {
  return `bench~${String(number).padStart(digits, '0')}~`;
}

/** The number of the first marker in a message; undefined without one. */
export function markerIn(message: Buffer): number | undefined {
  const at = message.indexOf(start);
  return at < 0 ? undefined : Number(message.toString('latin1', at + start.length, at + start.length + digits));
}

/** Where the numbers of a run begin: posts of an earlier one are not taken for its own. */
export function baseOfRun(): number {
  return Math.floor(Math.random() * roomOfRun);
}

/** The bytes of a request with the marker in its place. */
export function markedRequest(request: string, marker: number): Buffer {
  return Buffer.from(request.replace(markerText, markerOf(marker)));
}

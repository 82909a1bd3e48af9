/** Addresses of the servers that are played: of 127.0.0.0/8, which need no setup on Linux. */

const addressesPerRange = 250;

/** The address of the server with this number: 127.1.0.1, 127.1.0.2, … */
export function addressOf(number: number): string {
  return `127.1.${Math.floor(number / addressesPerRange)}.${(number % addressesPerRange) + 1}`;
}

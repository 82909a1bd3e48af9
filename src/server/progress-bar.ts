/** How far something is that takes long, as operators see it. */

const characters = 30;
const percents = 100;

/** `[##############                ]  47 %` */
export function progressBar(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 1;
  const full = '#'.repeat(Math.floor(share * characters)).padEnd(characters);
  return `[${full}] ${String(Math.floor(share * percents)).padStart(3)} %`;
}

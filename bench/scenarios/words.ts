/** Small words that all scenarios use. */

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

export async function stopAll(...running: readonly { stop(): Promise<void> }[]): Promise<void> {
  for (const one of running) await one.stop();
}

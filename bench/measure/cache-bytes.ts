/** What all caches of a server hold, home feeds among them, as it measures that itself. */
export async function cacheBytesOf(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return [...text.matchAll(/^murmuration_cache_bytes\{.*\} (\d+)$/gm)].reduce(
    (sum, [, bytes]) => sum + Number(bytes),
    0,
  );
}

/** What a server has and has received, as it tells everybody. */

/** All posts of an account, the newest first. */
export async function everyPost(
  origin: string,
  token: string,
  account: string,
): Promise<{ readonly id: string; readonly text: string }[]> {
  const found: { id: string; text: string }[] = [];
  for (let before: string | undefined; ; before = found.at(-1)!.id) {
    const query = before === undefined ? '' : `&max_id=${before}`;
    const answer = await fetch(`${origin}/api/v1/accounts/${account}/statuses?limit=40${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page = (await answer.json()) as { id: string; content: string }[];
    if (page.length === 0) return found;
    found.push(...page.map(({ id, content }) => ({ id, text: content.replaceAll(/<[^>]+>/g, '') })));
  }
}

/** How many activities other servers have sent to one, each as often as it came. */
export async function activitiesReceived(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const counts = metrics.matchAll(/^murmuration_requests_total\{([^}]*)\} (\d+)$/gm);
  const ofInboxes = Array.from(counts).filter(([, labels]) => /path="[^"]*\/inbox"/.test(labels!));
  return ofInboxes.reduce((sum, [, , count]) => sum + Number(count), 0);
}

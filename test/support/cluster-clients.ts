/** People of a cluster: two who write, and one who listens, at whichever node serves. */
import { type ClusterNode, type Front, pause } from './cluster-nodes.ts';
import { openStream, type StreamReader } from './stream-readers.ts';

interface Acknowledged {
  readonly text: string;
  readonly id: string;
  /** By the monotonic clock. */
  readonly at: number;
}

interface ClusterClientsInput {
  readonly front: Front;
  /** Which they try first. */
  readonly first: ClusterNode;
  readonly token: string;
  /** Between two posts of a writer. */
  readonly pauseMilliseconds: number;
}

const answerMilliseconds = 8_000;

export class ClusterClients {
  readonly acknowledged: Acknowledged[] = [];
  /** Ids of posts, as the stream brought them. */
  readonly events: string[] = [];
  /** Where the stream said that something is missing. */
  readonly gaps: string[] = [];
  private readonly input: ClusterClientsInput;
  private readonly work: readonly Promise<void>[];
  private isOver = false;

  constructor(input: ClusterClientsInput) {
    this.input = input;
    this.work = [this.post(0), this.post(1), this.listen()];
  }

  /** Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.work);
  }

  /** Whoever has no answer does not ask again: what became of it is open. */
  private async post(writer: number): Promise<void> {
    const { front, first, token, pauseMilliseconds } = this.input;
    let node = first;
    for (let number = 0; !this.isOver; number += 1) {
      const text = `writer ${writer} number ${number}`;
      try {
        const answer = await fetch(`${node.origin}/api/v1/statuses`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ status: text }),
          signal: AbortSignal.any([front.fallsSilent(node), AbortSignal.timeout(answerMilliseconds)]),
        });
        const body = (await answer.json()) as { id: string };
        if (answer.status === 200) this.acknowledged.push({ text, id: body.id, at: performance.now() });
        else node = front.after(node);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        node = front.after(node);
      }
      await pause(pauseMilliseconds);
    }
  }

  /** A client that goes on where it was. */
  private async listen(): Promise<void> {
    const { front, token } = this.input;
    let since: string | undefined;
    while (!this.isOver) {
      const node = front.serving;
      if (node === undefined) {
        await pause(100);
        continue;
      }
      let reader: StreamReader;
      try {
        reader = await openStream(node, 'websocket', { channel: 'user', token, ...(since && { since }) });
      } catch {
        continue;
      }
      let read = 0;
      const take = () => {
        for (const { event, id, payload } of reader.events.slice(read)) {
          read += 1;
          since = id ?? since;
          if (event === 'update') this.events.push((payload as { id: string }).id);
          if (event === 'gap') this.gaps.push(`after ${since}`);
        }
      };
      const silence = front.fallsSilent(node);
      while (!this.isOver && !reader.isClosed() && !silence.aborted) {
        take();
        await pause(100);
      }
      take();
      reader.close();
    }
  }
}

/**
 * Posts on their way from a gateway to the log of the relay. One message is under way at a time, and takes along what was
 * received meanwhile: one turn and one commit for all of them. Servers share each message fairly.
 *
 * INVARIANT posts of one server keep their order.
 */
import { Relay, relayKey } from '../../actors/relay/relay.messages.ts';
import type { ReceivedPost } from '../../actors/relay/relay.records.ts';
import { overloadRefusal } from '../../runtime/errors.ts';
import { flowOfRelay, type Services } from '../../services/services.ts';
import { relayBounds } from './limits.ts';

interface Waiting {
  readonly post: ReceivedPost;
  logged(isNew: boolean): void;
  failed(reason: unknown): void;
}

type PostServices = Pick<Services, 'client' | 'options'>;

const minute = 60_000;
const megabyte = 1_000_000;

export class ReceivedPosts {
  private readonly services: PostServices;
  /** By the server that has brought them, in the order of their turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingBytes = 0;
  private isUnderWay = false;

  constructor(services: PostServices) {
    this.services = services;
  }

  /**
   * Settles when the post is on disk, and says whether it is new. Rejects with a Failure: overloaded, expired,
   * outcomeUnknown.
   */
  log(post: ReceivedPost): Promise<boolean> {
    const { from } = post.relayed;
    const ofServer = this.waiting.get(from) ?? [];
    const isFull = this.waitingBytes > relayBounds.waitingBytesMax || ofServer.length >= relayBounds.waitingOfServerMax;
    if (isFull) return Promise.reject(overloadRefusal);
    return new Promise<boolean>((logged, failed) => {
      ofServer.push({ post, logged, failed });
      this.waiting.set(from, ofServer);
      this.waitingBytes += bytesOf(post);
      if (this.isUnderWay) return;
      this.isUnderWay = true;
      // What the sockets have ready in this round comes along.
      setImmediate(() => void this.send());
    });
  }

  /** Sends until nothing waits. Never rejects. */
  private async send(): Promise<void> {
    const { options, client } = this.services;
    while (this.waiting.size > 0) {
      const taken = this.take();
      try {
        const message = Relay.publish.to(relayKey, {
          posts: taken.map(({ post }) => post),
          ageMilliseconds: options.relayAgeMinutes * minute,
          logBytesMax: options.relayLog * megabyte,
        });
        const { areNew } = await client.call(message, flowOfRelay);
        for (const [index, { logged }] of taken.entries()) logged(areNew[index] === true);
      } catch (reason) {
        for (const { failed } of taken) failed(reason);
      }
    }
    this.isUnderWay = false;
  }

  /** Some of each server in turn, until there are enough: who got no turn is first the next time. */
  private take(): Waiting[] {
    const { postsAtOnce, postsOfServerAtOnce, bytesAtOnce } = relayBounds;
    const taken: Waiting[] = [];
    let bytes = 0;
    for (const [server, posts] of this.waiting) {
      if (taken.length >= postsAtOnce || bytes >= bytesAtOnce) break;
      const ofServer = posts.splice(0, Math.min(postsOfServerAtOnce, postsAtOnce - taken.length));
      for (const { post } of ofServer) bytes += bytesOf(post);
      taken.push(...ofServer);
      this.waiting.delete(server);
      if (posts.length > 0) this.waiting.set(server, posts);
    }
    this.waitingBytes -= bytes;
    return taken;
  }
}

const postBytes = 1_000;

function bytesOf({ relayed: { body } }: ReceivedPost): number {
  return postBytes + (body?.byteLength ?? 0);
}

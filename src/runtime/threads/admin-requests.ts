/** The operator's requests that threads carry out for the main thread, until each is answered. */
import type { AdminReply, SupervisedThread } from './supervised-thread.ts';

interface AdminRequest {
  readonly thread: SupervisedThread;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class AdminRequests {
  private readonly waiting = new Map<number, AdminRequest>();
  private lastNumber = 0;

  /** Rejects with a sentence when the thread refuses, or dies over it. */
  send(thread: SupervisedThread, request: unknown): Promise<unknown> {
    this.lastNumber += 1;
    const number = this.lastNumber;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { thread, resolve, reject });
      thread.post({ type: 'admin', request, number });
    });
  }

  replied(reply: AdminReply): void {
    const request = this.waiting.get(reply.number);
    this.waiting.delete(reply.number);
    if (reply.type === 'adminAnswer') request?.resolve(reply.answer);
    else request?.reject(new Error(reply.sentence));
  }

  threadEnded(thread: SupervisedThread): void {
    for (const [number, request] of this.waiting) {
      if (request.thread !== thread) continue;
      this.waiting.delete(number);
      request.reject(
        new Error('The thread that ran the command has ended: it is unknown whether the command was completed.'),
      );
    }
  }
}

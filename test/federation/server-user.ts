/** Somebody with an account on a running server, and what they ask it for. */
import { expect } from 'vitest';
import { untilAnswered } from '../support/asking.ts';
import type { RunningServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import type { User } from '../support/users.ts';

export interface Account {
  id: string;
  acct: string;
  display_name: string;
}

export interface Status {
  id: string;
  uri: string;
  content: string;
  visibility: string;
  account: Account;
  in_reply_to_id: string | null;
  reblog: Status | null;
  url: string;
  edited_at: string | null;
  favourites_count: number;
  reblogs_count: number;
  replies_count: number;
  media_attachments: { url: string; description: string | null }[];
}

interface Notification {
  type: string;
  account: Account;
  status?: Status;
}

/** One person with a server. */
export class ServerUser {
  readonly server: RunningServer;
  readonly user: User;

  constructor(server: RunningServer, user: User) {
    this.server = server;
    this.user = user;
  }

  get handle(): string {
    return `@${this.user.username}@${this.server.host}`;
  }

  async api<Value>(method: string, path: string, json?: unknown): Promise<Value> {
    const answer = await untilAnswered(() => this.fetch(method, path, json));
    expect([method, path, answer.status]).toEqual([method, path, 200]);
    return (await answer.json()) as Value;
  }

  fetch(method: string, path: string, json?: unknown): Promise<Response> {
    const body = json === undefined ? {} : { json };
    return this.server.fetch(`/api/v1/${path}`, { method, token: this.user.token, ...body });
  }

  post(status: string, more: object = {}): Promise<Status> {
    return this.api('POST', 'statuses', { status, ...more });
  }

  home(): Promise<Status[]> {
    return this.api('GET', 'timelines/home');
  }

  /** Somebody of another server, as a search finds them. */
  async find(other: ServerUser): Promise<Account> {
    const query = encodeURIComponent(other.handle);
    const [account] = await this.api<Account[]>('GET', `accounts/search?q=${query}&resolve=true&limit=1`);
    if (account === undefined) throw new Error(`${other.handle} was not found`);
    return account;
  }

  /** What this person sees of a status, once it is here. */
  receives(uri: string, condition: (status: Status) => boolean = () => true): Promise<Status> {
    const find = async () => (await this.home()).find((status) => status.uri === uri && condition(status));
    return until(find, { description: `${uri} in the home of ${this.handle}` });
  }

  isNotified(type: string, by: ServerUser): Promise<Notification> {
    const acct = by.handle.slice(1);
    const find = async () =>
      (await this.api<Notification[]>('GET', 'notifications')).find(
        (notification) => notification.type === type && notification.account.acct === acct,
      );
    return until(find, { description: `a ${type} for ${this.handle}` });
  }
}

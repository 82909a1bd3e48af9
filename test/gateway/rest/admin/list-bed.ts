/** Blocklists on a real HTTP server, and a gateway whose subscriptions are read when a test says so. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { readDomainList } from '../../../../src/actors/instance/domain-lists/domain-lists.effects.ts';
import { findDomainBlock } from '../../../../src/actors/instance/domains/domains.queries.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { domainListRunner } from '../../../../src/operations/domain-lists/domain-list-runner.ts';
import { triedList } from '../../../../src/operations/domain-lists/tried-list.ts';
import {
  createTestNetwork,
  type RemoteHost,
  startRemoteHost,
  type TestNetwork,
} from '../../../outbound/fetcher/remote-host.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

export const hourMilliseconds = 3_600_000;
export const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';
export const csv = (...rows: readonly string[]) => [header, ...rows].join('\n');

export interface List {
  readonly id: string;
  readonly reading: boolean;
  readonly next_read_at: string;
}

/** With an entity tag, unless it has a status of its own. */
interface Served {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly status?: number;
  readonly location?: string;
}

const root = '/api/murmuration/v1/admin/domain_lists';

export class ListBed {
  readonly served = new Map<string, Served>();
  gateway!: TestGateway;
  host!: RemoteHost;
  network!: TestNetwork;
  private token = '';

  constructor() {
    beforeAll(async () => {
      this.network = createTestNetwork();
      this.host = await startRemoteHost((request, response) => {
        const missing: Served = { body: '', status: 404 };
        const { body, type = 'text/csv', status = 200, location } = this.served.get(request.url ?? '') ?? missing;
        const etag = `"${createHash('sha256').update(type).update(body).digest('hex')}"`;
        const isKnown = status === 200 && request.headers['if-none-match'] === etag;
        const headers = { 'content-type': type, etag, ...(location !== undefined && { location }) };
        response.writeHead(isKnown ? 304 : status, headers);
        response.end(isKnown ? undefined : body);
      });
    });
    afterAll(async () => {
      await this.host.close();
      await this.network.connections.close();
    });
    beforeEach(async () => {
      this.served.clear();
      const environment = { MURMURATION_FEDERATION_ALLOW_HTTP: 'on', MURMURATION_FEDERATION_ALLOW_PRIVATE: 'on' };
      this.gateway = startTestGateway({ endpoints, environment });
      const { services } = this.gateway;
      const tries = (list: Parameters<typeof triedList>[2]) => triedList(services, this.network.fetcher, list);
      Object.assign(services, { domainLists: { try: tries } });
      this.token = (await addWithToken(this.gateway, 'ada', { role: 'admin' })).token;
    });
    afterEach(async () => {
      expect(this.gateway.log).toEqual([]);
      await this.gateway.close();
    });
  }

  readonly ask = <Body = List>(method: string, path: string, json?: object) =>
    this.gateway.json<Body>(`${root}${path}`, { method, token: this.token, ...(json && { json }) });

  readonly rule = (method: string, path: string, json?: object) =>
    this.gateway.json<{ id: string }>(`/api/v1/admin/${path}`, { method, token: this.token, ...(json && { json }) });

  readonly ruleFor = (domain: string) => findDomainBlock(this.gateway.actors.read, domain);

  readonly address = (path: string) => `${this.host.origin}${path}`;

  /** Lets every list that is due be read. */
  readonly read = async (): Promise<void> => {
    const { actors, services } = this.gateway;
    const [, runner] = domainListRunner(services, this.network.fetcher);
    for (;;) {
      const index = actors.effects.findIndex(({ effect }) => effect === readDomainList.number);
      const [asked] = index === -1 ? [] : actors.effects.splice(index, 1);
      if (asked === undefined) return;
      asked.answer(await runner(asked.request));
      actors.settle();
    }
  };

  readonly readWhenDue = async (id: string): Promise<void> => {
    const { clock } = this.gateway.actors;
    clock.advance(Date.parse((await this.ask('GET', `/${id}`)).body.next_read_at) - clock.now());
    await this.read();
  };

  readonly subscribed = async (path: string, body: string, given: object = {}): Promise<string> => {
    this.served.set(path, { body });
    const { status, body: list } = await this.ask('POST', '', { url: this.address(path), ...given });
    expect([status, list.reading]).toEqual([200, true]);
    await this.read();
    return list.id;
  };

  /** Serves something else, and has it read. */
  readonly again = async (id: string, path: string, body: string): Promise<List> => {
    this.served.set(path, { body });
    await this.ask('POST', `/${id}/fetch`);
    await this.read();
    return (await this.ask('GET', `/${id}`)).body;
  };

  /** The states of its domains. */
  readonly states = async (id: string, state?: string): Promise<Record<string, string>> => {
    const path = `/${id}/domains${state === undefined ? '' : `?state=${state}`}`;
    const { body } = await this.ask<{ domain: string; state: string }[]>('GET', path);
    return Object.fromEntries(body.map((entry) => [entry.domain, entry.state]));
  };
}

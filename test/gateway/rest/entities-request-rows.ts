/** Rows of entities-shape.test.ts: the notification policy, and what it filters. */
import type { Answered, Ask } from '../../support/asking.ts';
import type { User } from '../../support/users.ts';
import type { Row } from './entities-kept-rows.ts';

interface Scene {
  readonly ask: Ask;
  readonly alice: User;
  /** Whom alice does not follow. */
  readonly frank: User;
}

const policy = '/api/v2/notifications/policy';
const requests = '/api/v1/notifications/requests';

export function requestRows(scene: () => Scene): readonly Row[] {
  return [
    [`GET ${policy}`, () => asAlice('GET', policy)],
    [`PUT ${policy}`, () => asAlice('PUT', policy, { for_not_following: 'filter' })],
    [`GET ${requests}`, () => withRequest(() => requests)],
    [`GET ${requests}/:id`, () => withRequest((id) => `${requests}/${id}`)],
    [`GET ${requests}/merged`, () => asAlice('GET', `${requests}/merged`)],
    ['GET /api/v1/notifications', () => asAlice('GET', '/api/v1/notifications?include_filtered=true')],
    ['GET /api/v2/notifications', () => asAlice('GET', '/api/v2/notifications?include_filtered=true')],
    // Who was accepted makes no request any more.
    ...['dismiss', 'accept'].flatMap((word): Row[] => [
      [`POST ${requests}/:id/${word}`, () => withRequest((id) => `${requests}/${id}/${word}`, 'POST')],
      [`POST ${requests}/${word}`, () => withRequest(() => `${requests}/${word}`, 'POST')],
    ]),
    [`PATCH ${policy}`, () => asAlice('PATCH', policy, { for_not_following: 'accept' })],
  ];

  function asAlice(method: string, path: string, json?: unknown): Promise<Answered> {
    return scene().ask(scene().alice, method, path, json);
  }

  /** Each of somebody new to her, or of frank once more. */
  async function withRequest(address: (id: string) => string, method = 'GET'): Promise<Answered> {
    await scene().ask(scene().frank, 'POST', '/api/v1/statuses', { status: '@alice hello' });
    const { body } = await asAlice('GET', requests);
    return asAlice(method, address(String(body[0]?.id)));
  }
}

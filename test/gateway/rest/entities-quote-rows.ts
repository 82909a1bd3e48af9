/** Rows of entities-shape.test.ts: a status that quotes another one, or limits who may reply, as users and others see it. */
import type { Answered, Ask } from '../../support/asking.ts';
import type { User } from '../../support/users.ts';
import type { Row } from './entities-kept-rows.ts';

interface Scene {
  readonly ask: Ask;
  readonly alice: User;
  readonly erin: User;
  /** Of alice, who quotes herself. */
  readonly postId: string;
}

export function quoteRows(scene: () => Scene): readonly Row[] {
  const quoted = async (question: (id: string) => Promise<Answered>): Promise<Answered> => {
    const { ask, alice, postId } = scene();
    const quote = { status: 'As I said', quoted_status_id: postId, visibility: 'unlisted' };
    return question(String((await ask(alice, 'POST', '/api/v1/statuses', quote)).body.id));
  };
  const change = (method: string, quote_approval_policy: string) => () => {
    const { ask, alice, postId } = scene();
    return ask(alice, method, `/api/v1/statuses/${postId}/interaction_policy`, { quote_approval_policy });
  };
  const limited = async (viewer: User | undefined) => {
    const { ask, alice } = scene();
    const { body } = await ask(alice, 'POST', '/api/v1/statuses', {
      status: 'Few',
      reply_approval_policy: 'followers',
    });
    return ask(viewer, 'GET', `/api/v1/statuses/${body.id}`);
  };
  const revoke = (id: string) => {
    const { ask, alice, postId } = scene();
    return ask(alice, 'POST', `/api/v1/statuses/${postId}/quotes/${id}/revoke`);
  };
  const waiting = async (make: (id: string) => readonly [method: string, path: string]) => {
    const { ask, alice, erin } = scene();
    const limitedPost = { status: 'Ask me', reply_approval_policy: 'approved' };
    const { id } = (await ask(alice, 'POST', '/api/v1/statuses', limitedPost)).body;
    const reply = await ask(erin, 'POST', '/api/v1/statuses', { status: 'May I?', in_reply_to_id: id });
    const [method, path] = make(String(reply.body.id));
    return ask(alice, method, `/api/v1/interaction_requests${path}`);
  };
  return [
    ['GET /api/v1/statuses/:id', () => quoted((id) => scene().ask(scene().erin, 'GET', `/api/v1/statuses/${id}`))],
    ['GET /api/v1/statuses/:id', () => quoted((id) => scene().ask(undefined, 'GET', `/api/v1/statuses/${id}`))],
    ['GET /api/v1/statuses/:id', () => limited(scene().erin)],
    ['GET /api/v1/statuses/:id', () => limited(undefined)],
    [
      'GET /api/v1/statuses/:id/quotes',
      () => scene().ask(scene().erin, 'GET', `/api/v1/statuses/${scene().postId}/quotes`),
    ],
    ['PUT /api/v1/statuses/:id/interaction_policy', change('PUT', 'followers')],
    ['PATCH /api/v1/statuses/:id/interaction_policy', change('PATCH', 'public')],
    ['POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke', () => quoted(revoke)],
    ['GET /api/v1/interaction_requests', () => waiting(() => ['GET', ''])],
    ['GET /api/v1/interaction_requests/:id', () => waiting((id) => ['GET', `/${id}`])],
    ['POST /api/v1/interaction_requests/:id/authorize', () => waiting((id) => ['POST', `/${id}/authorize`])],
    ['POST /api/v1/interaction_requests/:id/reject', () => waiting((id) => ['POST', `/${id}/reject`])],
  ];
}

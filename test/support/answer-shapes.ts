/** Validates answers of a running server with the entities that their endpoints declare. */
import { z } from 'zod';
import { ErrorEntity, OAuthErrorEntity } from '../../src/gateway/entities/values.ts';
import { Router } from '../../src/gateway/http/router.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';

const router = new Router<z.ZodType>();
for (const { methods, path, answer } of endpoints)
  for (const method of methods) if (answer !== undefined) router.add(method, path, answer);

const refusal = z.union([ErrorEntity, OAuthErrorEntity, z.looseObject({ error: z.string().min(1) })]);

/** Throws an Error that names each field that is missing, unknown or of another type. */
export async function assertDeclared(method: string, path: string, response: Response): Promise<void> {
  const shape = router.find(method, path.split('?')[0]!)?.target;
  if (shape === undefined || !response.headers.get('content-type')?.startsWith('application/json')) return;
  const text = await response.clone().text();
  if (text === '') return;
  const result = (response.ok ? shape : refusal).safeParse(JSON.parse(text));
  if (result.success) return;
  throw new Error(
    `${method} ${path} answers ${response.status}, which is not as declared:\n${z.prettifyError(result.error)}`,
  );
}

/** The differences between an answer and its schema, in words; empty where there are none. */
export function problemsOf(shape: z.ZodType, body: unknown): string {
  const result = shape.safeParse(body);
  return result.success ? '' : z.prettifyError(result.error);
}

/** Undefined when it takes longer. */
export async function within<Value>(milliseconds: number, asked: Promise<Value>): Promise<Value | undefined> {
  const { promise: deadline, resolve: pass } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => pass(undefined), milliseconds);
  try {
    return await Promise.race([asked, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Collections lay under /api/v1_alpha before Mastodon 4.6; its own applications still ask there, and it still answers. */
export function alsoInAlpha(path: string): { path: string; olderPaths: string[] } {
  return { path, olderPaths: [path.replace('/api/v1/', '/api/v1_alpha/')] };
}

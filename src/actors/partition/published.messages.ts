/** Request of gateways to the published view of a partition (`Client.control(partition, publishedViewName, {})`). */
export const publishedViewName = 'published';

export interface PublishedAnswer {
  /** Everything up to this commit was published before this answer, nothing after it. */
  readonly commit: number;
}

/** Why an archive is refused, in sentences for whoever has brought it. */
import type { ArchiveProblem } from '../../actors/account/imports/imports.records.ts';
import { Failure } from '../../runtime/errors.ts';

const sentences: Readonly<Record<ArchiveProblem, string>> = {
  archiveUnknown: 'This is neither a zip file nor a tar.gz file',
  archiveBroken: 'The archive is damaged, or only a part of it has arrived',
  archiveEncrypted: 'The archive is encrypted',
  archiveUnsafe: 'The archive contains links, or files that are to lie outside of it',
  archiveTooLarge: 'The archive, or what is in it, is larger than this server takes',
  archiveWithoutPosts: 'There are no actor.json and outbox.json in the archive',
  archiveOfOther: 'The archive is of another account, which is not among the aliases of this one',
  archiveTooManyPosts: 'There are more posts in the archive than this server takes',
  archiveLost: 'The archive is not there any more',
  archiveDiskFull: 'This server has no space for the archive',
};

export function archiveRefused(reason: ArchiveProblem, cause?: unknown): Failure {
  return new Failure('validation', { text: sentences[reason], reason, cause });
}

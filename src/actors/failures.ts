/** The failure codes of actors. The texts of all codes are in gateway/http/failures.ts. */
import type { ArchiveProblem } from './account/imports/imports.records.ts';

declare module '../runtime/errors.ts' {
  interface FailureReasons {
    limit:
      | 'tooManyFollows'
      | 'tooManyFollowedTags'
      | 'tooManyScheduled'
      | 'tooManyScheduledThatDay'
      | 'tooManyPins'
      | 'tooManyAliases'
      | 'tooManyFeatured'
      | 'tooManyFilters'
      | 'tooManyWords'
      | 'tooManyLists'
      | 'tooManyServers'
      | 'tooManyCollections'
      | 'tooManyReactions'
      | 'collectionFull'
      | 'tooManyPasskeys'
      | 'tooManyInvites';
    state:
      | 'timeTooEarly'
      | 'movedLately'
      | 'archiveLately'
      | 'importRuns'
      | ArchiveProblem
      | 'alreadyFeatured'
      | 'alreadyInCollection'
      | 'alreadyVoted'
      | 'ownPoll'
      | 'pollEnded'
      | 'mediaMissing'
      | 'mediaUnready'
      | 'appealedAlready'
      | 'appealTooLate'
      | 'inviteExpired'
      | 'inviteUsedUp'
      | 'inviteEnded'
      | 'decidedMeanwhile';
  }
  interface FailureCodes {
    domain: 'notFound' | 'gone' | 'forbidden' | 'conflict' | 'invalidGrant' | 'tokenInvalid' | 'mediaRefused';
  }
}

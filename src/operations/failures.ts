/** The failure codes of operations: signing in, and OAuth (RFC 6749 section 5.2). */
declare module '../runtime/errors.ts' {
  interface FailureReasons {
    operation:
      | 'pollWithQuote'
      | 'quotedMissing'
      | 'parentMissing'
      | 'mayNotReply'
      | 'replyIsHeld'
      | 'heldWithQuote'
      | 'localOnlyNotOffered'
      | 'localOnlyQuotesRemote'
      | 'quotedNotMentioned'
      | 'pinOfOthers'
      | 'pinOfBoost'
      | 'pinOfPrivate'
      | 'reportsOneself'
      | 'notFeaturable'
      | 'notAServer'
      | 'notAnEmoji'
      | 'tooManyMedia'
      | 'pollWithMedia'
      | 'filmNotAlone'
      | 'descriptionTooLong'
      | 'linkExpired'
      | 'emailInUse'
      | 'tooManyRows'
      | 'noRows'
      | 'onlyOwner'
      | 'accountLeaves'
      | 'inviteUnknown';
  }
  interface FailureCodes {
    signIn:
      | 'credentialsInvalid'
      | 'codeInvalid'
      | 'signInExpired'
      | 'passkeyRefused'
      | 'loginDisabled'
      | 'loginUnconfirmed'
      | 'loginPending'
      | 'twoFactorRequired';
    oauth: 'invalidRequest' | 'invalidScope' | 'invalidClient' | 'unauthorizedClient' | 'unsupportedGrantType';
  }
}

export {};

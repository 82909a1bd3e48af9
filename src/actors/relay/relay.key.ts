/** The key of the one relay actor. */
export const relayKey = 'relay';

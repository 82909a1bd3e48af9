/** The quote in a Note, and who may quote it (FEP-044f, with the older properties). */
import { interactionPolicy } from '../interaction-policy.ts';
import type { NotePart } from '../note-part.ts';
import { quoteLink, quoteProperties, statusAddress } from '../quote-documents.ts';
import { quotesTombstone, type RemoteApproval, type RemoteQuote, readQuote, readQuoteApproval } from '../read-quote.ts';

interface QuoteOfNote {
  readonly quote: RemoteQuote | undefined;
  /** It quotes something that was deleted and has no address any more. */
  readonly quotesTombstone: boolean;
  readonly quoteApproval: RemoteApproval | undefined;
}

export const quoteTerms = {
  fep044f: 'https://w3id.org/fep/044f#',
  misskey: 'https://misskey-hub.net/ns#',
  quote: { '@id': 'fep044f:quote', '@type': '@id' },
  quoteAuthorization: { '@id': 'fep044f:quoteAuthorization', '@type': '@id' },
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  quoteUrl: 'as:quoteUrl',
  _misskey_quote: 'misskey:_misskey_quote',
};

export const quoteOfNote: NotePart<QuoteOfNote> = {
  read: (object) => ({
    quote: readQuote(object),
    quotesTombstone: quotesTombstone(object),
    quoteApproval: readQuoteApproval(object),
  }),
  write(status, writing) {
    const { reader, addresses } = writing;
    const quotedUri = status.quote && statusAddress(reader, addresses, status.quote.statusId);
    return {
      properties: {
        ...quoteProperties(reader, addresses, status, quotedUri),
        interactionPolicy: interactionPolicy(status, writing),
      },
      tags: quotedUri === undefined ? [] : [quoteLink(quotedUri)],
    };
  },
  context: {
    terms: quoteTerms,
    isIn: ({ quote }) => quote !== undefined,
  },
};

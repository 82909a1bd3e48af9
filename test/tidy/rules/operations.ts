/** Operations know no wire: nothing of HTTP, and none of the API's spelling. */
import { filesOf, findPattern, type Rule } from '../project.ts';

const wireWords = /\b(cookies?|headers?|contentType|statusCode|IncomingRequest|RequestContext|Grant)\b/gi;
/** Parameters and fields of the Mastodon API are written with underscores; nothing of ours is. */
const apiSpelling = /\b[a-z]+(?:_[a-z0-9]+)+\b/g;

export const operationsWithoutWire: Rule = {
  name: 'operations know nothing of HTTP and JSON',
  advice: 'take typed values and return views or ids; reading requests and making answers belongs to the interfaces',
  check: (project) =>
    filesOf(project, /^src\/operations\//).flatMap((file) => [
      ...findPattern(file, file.bare, wireWords, (match) => match),
      ...findPattern(file, file.bare, apiSpelling, (match) => match),
    ]),
};

/** A handler runs for a request that came in: whoever else wants what it does calls the operation. */
export const requestsComeIn: Rule = {
  name: 'nobody forges a request',
  advice: 'call the operation with a caller; only http/serve-endpoint.ts runs the handlers of endpoints',
  check: (project) =>
    filesOf(project, /^src\/(?!gateway\/http\/serve-endpoint\.ts$)/).flatMap((file) =>
      findPattern(file, file.bare, /\bendpoint\w*\s*\.\s*(?:respond|validate)\s*\(/gi, (match) => match),
    ),
};

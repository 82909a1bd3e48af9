/**
 * What a document in expanded form states, as far as this server reads it. A signature covers statements, not JSON: two
 * documents with the same statements have the same signature. These checks make sure that what was signed is what is read.
 *
 * 1. Everything that is not among the signed statements is refused: addresses that are not absolute, and whatever else
 *    the canonical form would leave out.
 * 2. Each node stands in one place only: its statements cannot be moved where nobody reads them.
 * 3. Addresses contain nothing that could end a statement.
 * 4. Graphs of their own, as those of proofs (FEP-8b32) are, are not read: nothing can be moved into one unnoticed.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import type { DocumentRefusal } from '../../services/signed-documents.ts';
import { documentLimits } from './limits.ts';
import { readAddresses } from './reading-context.ts';

type MeaningRefusal = Extract<DocumentRefusal, 'unsupported form' | 'too complex'>;

const absoluteAddress = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}]*$/u;
const language = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;
const keysOfValues: ReadonlySet<string> = new Set(['@value', '@type', '@language']);

class Refused extends Error {
  readonly refusal: MeaningRefusal;

  constructor(refusal: MeaningRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Nested lists that are equal for equal statements in the same order. */
type Meaning = string | number | boolean | readonly Meaning[];

/** `expanded`: the result of the expansion of one document. */
export function meaningOf(expanded: JsonValue): { readonly meaning: string } | { readonly refusal: MeaningRefusal } {
  try {
    const [node, ...others] = Array.isArray(expanded) ? (expanded as readonly JsonValue[]) : [];
    if (!isJsonObject(node) || others.length > 0 || typeof node['@id'] !== 'string')
      throw new Refused('unsupported form');
    return { meaning: JSON.stringify(new Meanings().ofNode(node)) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

const emptyNode: Meaning = ['node', '', [], []];

class Meanings {
  private readonly placed = new Set<string>();
  private blankNodes = 0;
  private values = 0;

  ofNode(node: JsonObject): Meaning {
    const id = node['@id'];
    const properties = Object.keys(node).filter((key) => key !== '@id' && key !== '@type');
    const types = this.typesOf(node['@type']);
    if (id === undefined) this.blankNodes += 1;
    else this.place(id, properties.length > 0 || types.length > 0);
    if (this.blankNodes > documentLimits.blankNodesMax) throw new Refused('too complex');
    const stated: Meaning[] = [];
    for (const property of properties.sort()) {
      const values = this.ofValues(property, node[property]);
      if (readAddresses.has(property) && values.length > 0) stated.push([property, values]);
    }
    const known = types.filter((type) => readAddresses.has(type));
    const isReference = typeof id === 'string' && known.length === 0 && stated.length === 0;
    return isReference ? ['value', id, ''] : ['node', typeof id === 'string' ? id : '', known, stated];
  }

  private place(id: JsonValue, isDescribed: boolean): void {
    if (!isAddress(id)) throw new Refused('unsupported form');
    if (isDescribed && this.placed.has(id)) throw new Refused('unsupported form');
    if (isDescribed) this.placed.add(id);
  }

  /** What an unknown term stands for has a blank name, and is among no statements. */
  private typesOf(value: JsonValue | undefined): string[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw new Refused('unsupported form');
    return (value as readonly JsonValue[]).flatMap((type) => {
      if (typeof type === 'string' && type.startsWith('_:')) return [];
      if (!isAddress(type)) throw new Refused('unsupported form');
      return type;
    });
  }

  private ofValues(property: string, value: JsonValue | undefined): Meaning[] {
    const isNamed = property.startsWith('_:') || isAddress(property);
    if (!isNamed || !Array.isArray(value)) throw new Refused('unsupported form');
    return (value as readonly JsonValue[])
      .map((entry) => this.ofEntry(property, entry))
      .filter((meaning) => !isEmptyNode(meaning));
  }

  private ofEntry(property: string, entry: JsonValue): Meaning {
    if (!isJsonObject(entry) || entry['@graph'] === undefined) return this.ofValue(entry);
    if (readAddresses.has(property)) throw new Refused('unsupported form');
    this.countNodes(entry['@graph']);
    return emptyNode;
  }

  private countNodes(value: JsonValue | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) this.blankNodes += 1;
    if (this.blankNodes > documentLimits.blankNodesMax) throw new Refused('too complex');
    for (const entry of Object.values(value) as JsonValue[]) this.countNodes(entry);
  }

  private ofValue(value: JsonValue): Meaning {
    this.values += 1;
    if (this.values > documentLimits.valuesMax) throw new Refused('too complex');
    if (!isJsonObject(value)) throw new Refused('unsupported form');
    if (value['@list'] !== undefined) return this.ofList(value);
    return value['@value'] === undefined ? this.ofNode(value) : ofLiteral(value);
  }

  private ofList(value: JsonObject): Meaning {
    const list = value['@list'];
    if (Object.keys(value).length > 1 || !Array.isArray(list)) throw new Refused('unsupported form');
    return ['list', (list as readonly JsonValue[]).map((entry) => this.ofValue(entry))];
  }
}

/** Its type is left out: one may say of a number what another does not, and it is read by what it is. */
function ofLiteral(value: JsonObject): Meaning {
  const { '@value': literal, '@type': type, '@language': tongue = '' } = value;
  if (Object.keys(value).some((key) => !keysOfValues.has(key))) throw new Refused('unsupported form');
  if (typeof literal !== 'string' && typeof literal !== 'number' && typeof literal !== 'boolean')
    throw new Refused('unsupported form');
  if (type !== undefined && !isAddress(type)) throw new Refused('unsupported form');
  if (typeof tongue !== 'string' || (tongue !== '' && !language.test(tongue))) throw new Refused('unsupported form');
  return ['value', literal, tongue];
}

function isAddress(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && absoluteAddress.test(value);
}

function isEmptyNode(meaning: Meaning): boolean {
  if (!Array.isArray(meaning)) return false;
  const [kind, id, types, stated] = meaning as readonly Meaning[];
  return kind === 'node' && id === '' && isEmpty(types) && isEmpty(stated);
}

function isEmpty(meaning: Meaning | undefined): boolean {
  return Array.isArray(meaning) && meaning.length === 0;
}

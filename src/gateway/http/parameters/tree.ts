/**
 * Parameters as a tree, whatever their encoding. Form keys use the bracket notation of Rails, which Mastodon clients
 * send: `a[b]=1` (a hash), `id[]=1` and `id=1&id=2` (lists), `fields[0][name]=x` (a list; only the order of the numbers
 * counts), `words[][text]=x` (a list of hashes, where a repeated key begins the next element).
 *
 * 1. Names that JavaScript objects inherit never become keys, so that no tree can change a prototype.
 * 2. Depth and number of parameters are bounded; a request beyond the bounds is refused as a whole.
 */
import { Failure } from '../../../runtime/errors.ts';
import { httpLimits } from '../limits.ts';

/**
 * A file of a multipart body. Its temporary file is removed when the request is over; who wants to keep it moves it
 * elsewhere before.
 */
export class UploadedFile {
  /** As the client claims: no part of a path. */
  readonly filename: string;
  /** As the client claims. */
  readonly contentType: string;
  /** Of the temporary file. */
  readonly path: string;
  readonly byteLength: number;

  constructor(filename: string, contentType: string, path: string, byteLength: number) {
    this.filename = filename;
    this.contentType = contentType;
    this.path = path;
    this.byteLength = byteLength;
  }
}

/**
 * Values repeated under one plain name of a form or query: a list where a list is expected, otherwise the last value,
 * as in Rails.
 */
export class RepeatedValues extends Array<ParameterValue> {}

export type ParameterValue =
  | string
  | number
  | boolean
  | null
  | UploadedFile
  | readonly ParameterValue[]
  | ParameterTree;

export interface ParameterTree {
  [key: string]: ParameterValue;
}

export type Leaf = string | UploadedFile;
type Node = Leaf | List | Branch;

class List {
  readonly items: Node[] = [];
  /** Whether its name had brackets, at least once. */
  isBracketed = false;
}

class Branch {
  readonly entries = new Map<string, Node>();
}

function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Collects the pairs of a form or query, then builds the tree. */
export class FormCollector {
  private readonly root = new Branch();
  private count = 0;

  /** Throws Failure badRequest beyond the bounds, and for contradictory keys. */
  add(key: string, value: Leaf): void {
    this.count += 1;
    if (this.count > httpLimits.parameterCountMax) throw tooMany();
    const path = splitKey(key);
    if (path.length > httpLimits.parameterDepthMax) throw tooDeep();
    if (!path.some(isForbiddenKey)) insert(this.root, path, 0, value);
  }

  finish(): ParameterTree {
    return hashOf(this.root);
  }
}

/** `a[b][]` becomes `['a', 'b', '']`; a key with unbalanced brackets is a plain name. */
function splitKey(key: string): string[] {
  const first = key.indexOf('[');
  if (first <= 0 || !key.endsWith(']')) return [key];
  return [key.slice(0, first), ...key.slice(first + 1, -1).split('][')];
}

function insert(branch: Branch, path: readonly string[], index: number, value: Leaf): void {
  const name = path[index]!;
  const present = branch.entries.get(name);
  if (index === path.length - 1) {
    insertLeaf(branch, name, present, value);
  } else if (path[index + 1] === '') {
    const list = listAt(branch, name, present);
    list.isBracketed = true;
    insertInList(list, path, index + 2, value);
  } else {
    if (present !== undefined && !(present instanceof Branch)) throw contradiction(name);
    const child = present ?? new Branch();
    branch.entries.set(name, child);
    insert(child, path, index + 1, value);
  }
}

function insertLeaf(branch: Branch, name: string, present: Node | undefined, value: Leaf): void {
  if (present === undefined) branch.entries.set(name, value);
  else listAt(branch, name, present).items.push(value);
}

/** The list under a name; an existing single value becomes its first element. */
function listAt(branch: Branch, name: string, present: Node | undefined): List {
  if (present instanceof List) return present;
  if (present instanceof Branch) throw contradiction(name);
  const list = new List();
  if (present !== undefined) list.items.push(present);
  branch.entries.set(name, list);
  return list;
}

function insertInList(list: List, path: readonly string[], index: number, value: Leaf): void {
  if (index === path.length) {
    list.items.push(value);
    return;
  }
  let element = list.items.at(-1);
  if (!(element instanceof Branch) || holds(element, path, index)) {
    element = new Branch();
    list.items.push(element);
  }
  insert(element, path, index, value);
}

/** Whether the rest of a path is already present in an element; never for a path into a list, which grows. */
function holds(branch: Branch, path: readonly string[], index: number): boolean {
  if (path.indexOf('', index) !== -1) return false;
  let node: Node | undefined = branch;
  for (let position = index; position < path.length; position += 1) {
    if (!(node instanceof Branch)) return node !== undefined;
    node = node.entries.get(path[position]!);
  }
  return node !== undefined;
}

function plainValue(node: Node): ParameterValue {
  if (node instanceof List) {
    const values = node.items.map(plainValue);
    return node.isBracketed ? values : RepeatedValues.from(values);
  }
  if (!(node instanceof Branch)) return node;
  const numbered = [...node.entries.keys()].every((key) => /^[0-9]+$/.test(key));
  return numbered ? [...node.entries.values()].map(plainValue) : hashOf(node);
}

function hashOf(branch: Branch): ParameterTree {
  const tree: ParameterTree = {};
  for (const [name, node] of branch.entries) tree[name] = plainValue(node);
  return tree;
}

/** Removes forbidden keys of parsed JSON in place. Throws Failure badRequest beyond the bounds. */
export function guardJson(value: unknown): void {
  let count = 0;
  const visit = (node: unknown, depth: number): void => {
    count += 1;
    if (count > httpLimits.parameterCountMax) throw tooMany();
    if (typeof node !== 'object' || node === null) return;
    if (depth > httpLimits.parameterDepthMax) throw tooDeep();
    if (Array.isArray(node)) {
      for (const element of node) visit(element, depth + 1);
      return;
    }
    for (const [key, child] of Object.entries(node)) {
      if (isForbiddenKey(key)) Reflect.deleteProperty(node, key);
      else visit(child, depth + 1);
    }
  };
  visit(value, 0);
}

function contradiction(name: string): Failure {
  return new Failure('badRequest', { text: `The parameter ${name} is given in two shapes` });
}

export function tooMany(): Failure {
  return new Failure('badRequest', { text: 'The request has too many parameters' });
}

export function tooDeep(): Failure {
  return new Failure('badRequest', { text: 'The parameters are nested too deeply' });
}

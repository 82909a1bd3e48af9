/**
 * Maps method and path to a route. Patterns consist of fixed segments, `:name` (one segment), `@:name` (one segment
 * after a fixed prefix) and, at the end, `*name` (all the rest). A fixed segment wins over a prefix, a prefix over
 * `:name`, and that over `*name`, at each position from left to right; if a choice leads nowhere, the next one is
 * tried. Each method has a tree of its own, so that a path of another method never hides one.
 */
export interface Match<Target> {
  readonly target: Target;
  /** Values of the pattern's names, in order, still percent-encoded. */
  readonly values: readonly string[];
}

interface Branch<Target> {
  readonly prefix: string;
  readonly node: Node<Target>;
}

class Node<Target> {
  readonly fixed = new Map<string, Node<Target>>();
  readonly prefixed: Branch<Target>[] = [];
  any: Node<Target> | undefined;
  rest: Target | undefined;
  target: Target | undefined;
}

const noValues: readonly string[] = [];
const jsonSuffix = '.json';

/** The names in a pattern, in order. */
export function patternNames(pattern: string): string[] {
  const names: string[] = [];
  for (const segment of pattern.split('/')) {
    const mark = segment.search(/[:*]/);
    if (mark !== -1) names.push(segment.slice(mark + 1));
  }
  return names;
}

export class Router<Target> {
  private readonly trees = new Map<string, Node<Target>>();
  private readonly fixedPaths = new Map<string, Map<string, Match<Target>>>();

  /** Throws an Error when the pattern is taken for that method: two declarations contradict each other. */
  add(method: string, pattern: string, target: Target): void {
    if (!pattern.startsWith('/')) throw new Error(`The path ${pattern} does not begin with a slash`);
    if (patternNames(pattern).length === 0) this.addFixed(method, pattern, target);
    else this.addPattern(method, pattern, target);
  }

  private addFixed(method: string, path: string, target: Target): void {
    const paths = entry(this.fixedPaths, method, () => new Map<string, Match<Target>>());
    if (paths.has(path)) throw new Error(`${method} ${path} is declared twice`);
    paths.set(path, { target, values: noValues });
  }

  private addPattern(method: string, pattern: string, target: Target): void {
    let node = entry(this.trees, method, () => new Node<Target>());
    for (const segment of pattern.slice(1).split('/')) {
      if (segment.startsWith('*')) {
        if (node.rest !== undefined) throw new Error(`${method} ${pattern} is declared twice`);
        node.rest = target;
        return;
      }
      node = childFor(node, segment);
    }
    if (node.target !== undefined) throw new Error(`${method} ${pattern} is declared twice`);
    node.target = target;
  }

  /**
   * A trailing slash is ignored (`/oauth/authorize/`), and so is `.json` where it is not part of a fixed path or of
   * `*name` (`/api/v1/instance.json`).
   */
  find(method: string, path: string): Match<Target> | undefined {
    if (path.endsWith(jsonSuffix)) {
      const bare = path.slice(0, -jsonSuffix.length);
      return this.findFixed(method, path) ?? this.findExact(method, bare, false) ?? this.findPattern(method, path);
    }
    const found = this.findExact(method, path);
    if (found !== undefined || path.length < 2 || !path.endsWith('/')) return found;
    return this.findExact(method, path.slice(0, -1));
  }

  private findExact(method: string, path: string, takesRest = true): Match<Target> | undefined {
    return this.findFixed(method, path) ?? this.findPattern(method, path, takesRest);
  }

  private findFixed(method: string, path: string): Match<Target> | undefined {
    return this.fixedPaths.get(method)?.get(path);
  }

  private findPattern(method: string, path: string, takesRest = true): Match<Target> | undefined {
    const root = this.trees.get(method);
    if (root === undefined) return undefined;
    const values: string[] = [];
    const target = descend(root, path, 1, values, takesRest);
    return target === undefined ? undefined : { target, values };
  }

  /** The methods that serve a path, for the 405 answer. */
  methodsOf(path: string): string[] {
    const methods = new Set([...this.fixedPaths.keys(), ...this.trees.keys()]);
    return [...methods].filter((method) => this.find(method, path) !== undefined);
  }
}

/** `takesRest`: whether patterns with `*name` count. */
function descend<Target>(
  node: Node<Target>,
  path: string,
  start: number,
  values: string[],
  takesRest: boolean,
): Target | undefined {
  const slash = path.indexOf('/', start);
  const last = slash === -1;
  const segment = last ? path.slice(start) : path.slice(start, slash);
  const next = slash + 1;
  const fixed = node.fixed.get(segment);
  if (fixed !== undefined) {
    const target = last ? fixed.target : descend(fixed, path, next, values, takesRest);
    if (target !== undefined) return target;
  }
  const depth = values.length;
  for (const { prefix, node: child } of node.prefixed) {
    if (segment.length === prefix.length || !segment.startsWith(prefix)) continue;
    values.push(segment.slice(prefix.length));
    const target = last ? child.target : descend(child, path, next, values, takesRest);
    if (target !== undefined) return target;
    values.length = depth;
  }
  if (node.any !== undefined && segment !== '') {
    values.push(segment);
    const target = last ? node.any.target : descend(node.any, path, next, values, takesRest);
    if (target !== undefined) return target;
    values.length = depth;
  }
  if (node.rest === undefined || !takesRest) return undefined;
  values.push(path.slice(start));
  return node.rest;
}

function childFor<Target>(node: Node<Target>, segment: string): Node<Target> {
  const mark = segment.indexOf(':');
  if (mark === -1) return entry(node.fixed, segment, () => new Node<Target>());
  if (mark === 0) {
    node.any ??= new Node<Target>();
    return node.any;
  }
  const prefix = segment.slice(0, mark);
  const present = node.prefixed.find((branch) => branch.prefix === prefix);
  if (present !== undefined) return present.node;
  const branch = { prefix, node: new Node<Target>() };
  node.prefixed.push(branch);
  // The longest prefix is tried first, so that the order of declarations does not matter.
  node.prefixed.sort((one, other) => other.prefix.length - one.prefix.length);
  return branch.node;
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const created = create();
  map.set(key, created);
  return created;
}

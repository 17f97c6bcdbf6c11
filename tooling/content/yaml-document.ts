/** YAML whose values know their position in the file. */
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { Fault, Position, Report } from './fault.ts';
import type { Source } from './read-source.ts';

export interface YamlDocument {
  value: unknown;
  /** The position of a field's name or of a list's item; if it is missing, of the enclosing value. */
  locate(path: readonly unknown[]): Omit<Fault, 'rule'>;
}

/** Parses YAML 1.2 (core schema). Reports syntax faults; returns undefined if there are any. */
export function parseYaml({ file, text, firstLine }: Source, report: Report): YamlDocument | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'core', lineCounter: lines, prettyErrors: false });
  const faults = findSyntaxFaults(document, text);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: line + firstLine - 1, column: col };
  };
  for (const { offset, ...fault } of faults) report({ file, ...positionAt(offset), ...fault });
  if (faults.length > 0) return undefined;
  return {
    value: document.toJS(),
    locate: (path) => ({ file, ...positionAt(offsetOf(document.contents, path)), field: path.join('.') }),
  };
}

interface SyntaxFault {
  offset: number;
  field: string;
  rule: string;
}

function findSyntaxFaults(document: Document.Parsed, text: string): SyntaxFault[] {
  const errors = [...document.errors, ...document.warnings];
  const faults = errors
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [offset] }) => ({ offset, field: nameAt(text, offset), rule: 'stands here a second time' }));
  // Later faults mostly follow from the first.
  const broken = errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  if (broken !== undefined) {
    const offset = isUnclosed(broken) ? startOfUnclosed(document, broken.pos[0]) : broken.pos[0];
    faults.push({ offset, field: '', rule: `is not sound YAML: ${broken.message}` });
  }
  visit(document, {
    Alias: (_, node) => {
      faults.push({ offset: node.range?.[0] ?? 0, field: '', rule: 'must not be a YAML alias' });
    },
    Pair: (_, { key }) => {
      if (!isScalar(key)) faults.push({ offset: startOf(key), field: '', rule: 'must have a plain name' });
    },
  });
  return faults;
}

/** For an unclosed value the parser names its end, which may be the end of the file. */
const isUnclosed = ({ message }: { message: string }): boolean => /closing|end with a/.test(message);

function startOfUnclosed(document: Document.Parsed, end: number): number {
  let start = end;
  visit(document, {
    Node: (_, node) => {
      const isClosed = isScalar(node) ? node.type?.startsWith('QUOTE') : isCollection(node) && node.flow;
      if (isClosed && node.range && node.range[0] <= end && end <= node.range[2]) start = node.range[0];
    },
  });
  return start;
}

const nameAt = (text: string, offset: number): string => /^[\w-]*/.exec(text.slice(offset))?.[0] ?? '';
const startOf = (node: unknown): number => (isNode(node) && !isAlias(node) ? (node.range?.[0] ?? 0) : 0);

/** Follows the path as far as it exists. */
function offsetOf(root: Node | null, path: readonly unknown[]): number {
  let node: unknown = root;
  let offset = 0;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) return offset;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node) && typeof key === 'number' && key < node.items.length) {
      node = node.items[key];
      offset = startOf(node);
    } else return offset;
  }
  return offset;
}

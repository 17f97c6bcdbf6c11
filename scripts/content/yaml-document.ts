/** YAML whose values know where they stand. */
import * as v from 'valibot';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { ruleOf } from '../../lib/http/issues.ts';
import type { Place, Report } from './fault.ts';
import type { Source } from './source.ts';

export interface YamlDocument {
  file: string;
  value: unknown;
  /** Of a field's name or a list's item; of what encloses it if that isn't there. */
  placeOf(path: readonly unknown[]): Place;
}

/** Parses YAML 1.2 (core schema). Reports all that breaks the syntax, and returns nothing then. */
export function parseYaml({ file, text, firstLine }: Source, report: Report): YamlDocument | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'core', lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: line + firstLine - 1, column: col };
  };
  const faults = [...document.errors, ...document.warnings].map(({ code, message, pos: [offset] }) => ({
    offset,
    rule: code === 'DUPLICATE_KEY' ? 'stands here a second time' : `is not sound YAML: ${message}`,
    field: code === 'DUPLICATE_KEY' ? nameAt(text, offset) : '',
  }));
  visit(document, {
    Alias: (_, node) => {
      faults.push({ offset: node.range?.[0] ?? 0, rule: 'must not be a YAML alias', field: '' });
    },
    Pair: (_, { key }) => {
      if (!isScalar(key)) faults.push({ offset: startOf(key), rule: 'must have a plain name', field: '' });
    },
  });
  for (const { offset, ...fault } of faults) report({ file, ...placeAt(offset), ...fault });
  if (faults.length > 0) return undefined;
  return {
    file,
    value: document.toJS(),
    placeOf: (path) => placeAt(offsetOf(document.contents, path)),
  };
}

const nameAt = (text: string, offset: number): string => /^[\w-]*/.exec(text.slice(offset))?.[0] ?? '';
const startOf = (node: unknown): number => (isNode(node) && !isAlias(node) ? (node.range?.[0] ?? 0) : 0);

/** Goes down the path as far as it leads. */
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

/** Checks a document. Reports each broken rule, and returns nothing then. */
export function checkYaml<Output>(
  schema: v.GenericSchema<unknown, Output>,
  { file, value, placeOf }: YamlDocument,
  report: Report,
): Output | undefined {
  const { issues, output } = parseAll(schema, value);
  for (const issue of issues) {
    const path = (issue.path ?? []).map(({ key }) => key);
    report({ file, ...placeOf(path), field: path.join('.'), rule: issue.message });
  }
  return issues.length === 0 ? output : undefined;
}

/** All issues. A strict object names its first unknown field only, so each is taken out and the rest checked again. */
function parseAll<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown) {
  const unknown: v.BaseIssue<unknown>[] = [];
  for (;;) {
    const {
      success,
      output,
      issues = [],
    } = v.safeParse(schema, value, { message: ruleOf, abortPipeEarly: true });
    const found = issues.filter(({ expected }) => expected === 'never');
    if (found.length === 0) return { issues: [...unknown, ...issues], output: success ? output : undefined };
    unknown.push(...found);
    for (const { path } of found) {
      const field = path?.at(-1);
      if (field?.type === 'object') Reflect.deleteProperty(field.input, String(field.key));
    }
  }
}

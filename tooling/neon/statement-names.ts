/**
 * Names for prepared statements, so that PostgreSQL parses and plans a statement once per connection. A text gets a name after it has
 * succeeded twice. Both tables are bounded; further texts stay unnamed.
 */
export interface StatementNames {
  nameOf(text: string): string | undefined;
  /** Records that the text succeeded. */
  worked(text: string): void;
  /** Removes the text's name because it was prepared against an older schema. Returns whether it had one. */
  forget(text: string): boolean;
}

const MAX_NAMES = 256;
const MAX_CANDIDATES = 1024;

export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  const candidates = new Set<string>();
  let given = 0;
  return {
    nameOf: (text) => names.get(text),
    worked(text) {
      if (given >= MAX_NAMES || names.has(text)) return;
      if (candidates.delete(text)) {
        given += 1;
        names.set(text, `s${given}`);
        return;
      }
      if (candidates.size >= MAX_CANDIDATES) candidates.clear();
      candidates.add(text);
    },
    forget: (text) => names.delete(text),
  };
}

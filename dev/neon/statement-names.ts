/**
 * Names for prepared statements, so that PostgreSQL parses and plans a text once a connection. A text gets its name when
 * it is seen for the second time; both tables are bounded, and texts beyond that stay unnamed.
 */
export interface StatementNames {
  nameOf(text: string): string | undefined;
  /** The text's next preparation gets another name: the one it had was parsed against an older schema. */
  forget(text: string): void;
}

const MAX_NAMES = 256;
const MAX_CANDIDATES = 1024;

export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  const candidates = new Set<string>();
  let given = 0;
  return {
    nameOf(text) {
      const name = names.get(text);
      if (name !== undefined || given >= MAX_NAMES) return name;
      if (!candidates.delete(text)) {
        if (candidates.size >= MAX_CANDIDATES) candidates.clear();
        candidates.add(text);
        return undefined;
      }
      given += 1;
      names.set(text, `s${given}`);
      return names.get(text);
    },
    forget(text) {
      names.delete(text);
    },
  };
}

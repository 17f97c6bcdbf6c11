const MAX_LINES = 80;

/** Functions that may have more than 80 lines, each with the reason. At most five. */
const EXCEPTIONS: Record<string, string> = {};

const DEFINITION = /^create or replace function (\w+)[^$]*?\bas \$\$\n.*?^\$\$;/gms;

/** Problems with the lengths of the functions in a file of `schema/functions/`. `name` is the file's. */
export function findLongFunctions(name: string, text: string): string[] {
  const problems: string[] = [];
  for (const [definition, called = ''] of text.matchAll(DEFINITION)) {
    const lines = definition.split('\n').length;
    if (lines > MAX_LINES && !(called in EXCEPTIONS)) problems.push(`${name}: ${called}() has ${lines} lines.`);
  }
  return problems;
}

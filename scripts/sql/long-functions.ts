export const MAX_LINES = 80;
export const MAX_EXCEPTIONS = 5;

/** Functions with more than 80 lines, each with the reason. A step of theirs can't be a function without a copy of what it reads. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  values_of_seal:
    'One query: all values are of the visits and hits of the day, which are too many to be passed from function to function.',
};

const DEFINITION = /^create or replace function (\w+)[^$]*?\bas \$\$\n.*?^\$\$;/gms;

/** Functions of `sql` with more lines than `MAX_LINES`, from `create` to the end of the body, that aren't exceptions; and exceptions that need not be. */
export function findLongFunctions(
  sql: readonly string[],
  exceptions: Readonly<Record<string, string>> = EXCEPTIONS,
): string[] {
  const long = new Map<string, number>();
  for (const [definition, name = ''] of sql.flatMap((text) => [...text.matchAll(DEFINITION)])) {
    const lines = definition.split('\n').length;
    if (lines > MAX_LINES) long.set(name, lines);
  }
  const problems = [...long]
    .filter(([name]) => !(name in exceptions))
    .map(
      ([name, lines]) => `${name}() has ${lines} lines: at most ${MAX_LINES}. Make a step of it a function.`,
    );
  for (const name of Object.keys(exceptions))
    if (!long.has(name))
      problems.push(`${name}() isn't longer than ${MAX_LINES} lines: it needs no exception.`);
  if (Object.keys(exceptions).length > MAX_EXCEPTIONS)
    problems.push(`More than ${MAX_EXCEPTIONS} functions are exceptions to the limit of ${MAX_LINES} lines.`);
  return problems;
}

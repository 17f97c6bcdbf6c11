export const MAX_LINES = 80;

const DEFINITION = /^create or replace function (\w+)[^$]*?\bas \$\$\n.*?^\$\$;/gms;

/** Functions of `sql` with more lines than `MAX_LINES`, from `create` to the end of the body. */
export const findLongFunctions = (sql: readonly string[]): string[] =>
  sql
    .flatMap((text) => [...text.matchAll(DEFINITION)])
    .map(([definition, name]) => ({ name, lines: definition.split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(
      ({ name, lines }) => `${name}() has ${lines} lines: at most ${MAX_LINES}. Make a step of it a function.`,
    );

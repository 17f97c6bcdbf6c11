import { depthChange, insideBody, readTokens, type Token } from './tokens.ts';

/** Functions that SQL creates and that neither other SQL nor `code` names, in order of creation. */
export function findUnusedFunctions(sql: readonly string[], code: readonly string[]): string[] {
  const statements = sql
    .flatMap((text) => splitStatements(readTokens(text)))
    .map((statement) => ({
      makes: madeBy(statement),
      names: new Set(namesIn(statement)),
    }));
  const inCode = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
  return statements.flatMap(({ makes }) =>
    makes === undefined ||
    inCode.has(makes) ||
    statements.some((other) => other.makes !== makes && other.names.has(makes))
      ? []
      : [makes],
  );
}

/** The words of a statement, including those in function bodies and strings. */
const namesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ kind, text }) =>
    kind === 'body' ? namesIn(readTokens(insideBody(text))) : (text.match(/\w+/g) ?? []),
  );

function madeBy(statement: readonly Token[]): string | undefined {
  const words = statement.slice(0, 5).map(({ text }) => text);
  const at = words.findIndex((word) => ['function', 'aggregate', 'procedure'].includes(word));
  return words[0] === 'create' && at > 0 ? words[at + 1] : undefined;
}

function splitStatements(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'comment') continue;
    depth += depthChange(token);
    if (depth === 0 && token.text === ';') statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements;
}

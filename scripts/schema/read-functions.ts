/** The functions of `schema/functions/` without their bodies. */

export interface FunctionsOfFile {
  /** Such as `schema/functions/fold.sql`. */
  file: string;
  /** Comment and head of each, such as `session_gap() returns interval`. */
  functions: { comment: string[]; head: string }[];
}

const HEAD = /^create or replace function ([\s\S]*?)\nlanguage /m;

/** Reads the heads of the functions in a file. Lines of a comment directly above one belong to it. */
export function readFunctions(file: string, sql: string): FunctionsOfFile {
  const parts = sql.split(/^(?=create or replace function )/m);
  const functions = parts.slice(1).map((part, index) => ({
    comment: commentAtEnd(parts[index] ?? ''),
    head: HEAD.exec(part)?.[1] ?? '',
  }));
  return { file, functions };
}

/** The lines of the comment that a text ends with. Other statements may stand between it and the function: `drop function`. */
function commentAtEnd(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  while (/^drop (function|trigger|view) /.test(lines.at(-1) ?? '')) lines.pop();
  const start = lines.findLastIndex((line) => !line.startsWith('--'));
  return lines.slice(start + 1);
}

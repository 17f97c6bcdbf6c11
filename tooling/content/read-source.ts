/** Reads files of `content/` as text. */
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compareText } from './compare-text.ts';
import { FILE_START, type Position, type Report } from './fault.ts';
import type { FoundText } from './markdown-texts.ts';

const MAX_BYTES = 1024 * 1024;

/** The content folder that is being read, and the receiver of its faults. */
export interface Reading {
  /** An absolute path. */
  root: string;
  report: Report;
  /** Receives every text that was read. */
  addText(text: FoundText): void;
}

/** The text of a file, or the part of it that begins at `firstLine`. */
export interface Source {
  file: string;
  text: string;
  firstLine: number;
}

/** Reports a fault of a whole file. `path` has slashes and is relative to the content folder. */
export function reportFile({ root, report }: Reading, path: string, rule: string): void {
  report({ file: join(basename(root), path).replaceAll('\\', '/'), ...FILE_START, field: '', rule });
}

/** Reads a file as UTF-8. Removes a byte order mark and turns CRLF into LF, since editors and git on Windows write them. */
export async function readSource(reading: Reading, path: string): Promise<Source | undefined> {
  const absolute = join(reading.root, path);
  if ((await stat(absolute)).size > MAX_BYTES) {
    reportFile(reading, path, `must have at most ${MAX_BYTES} bytes`);
    return undefined;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(absolute));
    return {
      file: `${basename(reading.root)}/${path}`,
      text: text.replaceAll('\r\n', '\n'),
      firstLine: 1,
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    reportFile(reading, path, 'must be UTF-8');
    return undefined;
  }
}

/** The contents of a folder by code point, without the hidden files of editors and file managers. A missing folder is empty. */
export async function listFolder({ root }: Reading, path: string): Promise<Dirent[]> {
  try {
    const found = await readdir(join(root, path), { withFileTypes: true });
    return found.filter(({ name }) => !isLeftBehind(name)).sort((a, b) => compareText(a.name, b.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const isLeftBehind = (name: string): boolean => /^[.#]|~$/.test(name);

/** Line and column of a character. */
export function positionAt({ text, firstLine }: Source, index: number): Position {
  const before = text.slice(0, index).split('\n');
  return { line: firstLine + before.length - 1, column: (before.at(-1)?.length ?? 0) + 1 };
}

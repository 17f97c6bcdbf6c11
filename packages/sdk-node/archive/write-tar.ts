/** An archive in the format ustar, the same bytes on every machine: files alone, readable by all, of no owner and one date. */
import { Buffer } from 'node:buffer';

export interface ArchivedFile {
  /** ASCII, with `/`, at most 255 bytes, of which the last part has at most 100. */
  path: string;
  content: Uint8Array;
}

const BLOCK = 512;
/** npm's own date for files in archives: 1985-10-26T08:15:00Z. */
const DATE_SECONDS = 499_162_500;

/** Files in the order of their paths. Throws if a path doesn't fit. */
export function writeTar(files: readonly ArchivedFile[]): Uint8Array {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap(({ path, content }) => [
    header(path, content.length),
    content,
    new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function header(path: string, bytes: number): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  const text = (value: string, at: number): void => {
    block.write(value, at, 'latin1');
  };
  const octal = (value: number, at: number, digits: number): void =>
    text(`${value.toString(8).padStart(digits, '0')}\0`, at);
  const [prefix, name] = splitPath(path);
  text(name, 0);
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(DATE_SECONDS, 136, 11);
  text('0', 156);
  text('ustar\x0000', 257);
  text(prefix, 345);
  // The sum is of the block with eight spaces instead of the sum.
  text(' '.repeat(8), 148);
  const sum = block.reduce((total, byte) => total + byte, 0);
  text(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function splitPath(path: string): [prefix: string, name: string] {
  if (!/^[\x21-\x7e]+$/.test(path)) throw new Error(`${path}: an archive takes paths of visible ASCII alone`);
  if (path.length <= 100) return ['', path];
  const at = path.lastIndexOf('/', 155);
  if (at < 1 || path.length - at - 1 > 100) throw new Error(`${path} is too long for an archive`);
  return [path.slice(0, at), path.slice(at + 1)];
}

/**
 * The file of a backup: `zstd -dc FILE` shows it as text. Its frames are a mark, the text, and a SHA-256 of all bytes before it.
 * The text is a header, a line of JSON, and parts: each a line of JSON that says what it is, its lines, `\.`, and the number of its lines.
 */
import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import * as v from 'valibot';

/** zstd skips a frame that begins with these bytes and has its length next (RFC 8878, 3.1.2). */
const SKIPPED_FRAME = [0x50, 0x2a, 0x4d, 0x18];
const HASH_BYTES = 32;
const MARK = skippedFrame(Buffer.from('vendor backup 1\n'));
const HASH_FRAME_BYTES = skippedFrame(Buffer.alloc(HASH_BYTES)).length;
/** A line of JSON that says what follows. */
const MAX_LINE_BYTES = 1024 * 1024;
const END = Buffer.from('\\.\n');
const NEWLINE = 0x0a;

function skippedFrame(content: Buffer): Buffer {
  const head = Buffer.from([...SKIPPED_FRAME, 0, 0, 0, 0]);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

const Name = v.pipe(v.string(), v.minLength(1), v.maxLength(63));
const Text = v.pipe(v.string(), v.maxLength(4096));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const Header = v.object({
  /** Of the program that the database was of; null: it was never brought up to the end. */
  version: v.nullable(Text),
  /** The last migration that the database has. */
  migration: Count,
  /** The moment of the tables, RFC 3339 with microseconds. */
  createdAt: Text,
  /** Of the server, such as `18.4`. */
  postgres: Text,
});
export type Header = v.InferOutput<typeof Header>;

const TablePart = v.object({
  kind: v.literal('table'),
  name: Name,
  /** Those that hold data, in the order of the lines, each with its type. Generated ones aren't among them. */
  columns: v.pipe(v.array(v.object({ name: Name, type: Text })), v.minLength(1), v.maxLength(1600)),
  /** Of which table this is a partition, and its bounds. */
  partition: v.optional(v.object({ of: Name, from: Text, to: Text })),
  /** Storage parameters, such as `fillfactor=90`. */
  options: v.array(v.pipe(v.string(), v.regex(/^[a-z_.]+=[\w.%+-]+$/))),
});
export type TablePart = v.InferOutput<typeof TablePart>;

const Part = v.variant('kind', [
  /** Lines of JSON: `QueueLine`. */
  v.object({ kind: v.literal('queue') }),
  /** One line of JSON: secrets by name. */
  v.object({ kind: v.literal('secrets') }),
  /** Lines as PostgreSQL's `COPY` writes them. */
  TablePart,
  /** Lines of JSON: `SequenceLine`. */
  v.object({ kind: v.literal('sequences') }),
]);
export type Part = v.InferOutput<typeof Part>;

export const QueueLine = v.object({ queue: Text, message: v.string() });
export type QueueLine = v.InferOutput<typeof QueueLine>;

export const SequenceLine = v.object({ table: Name, column: Name, last: v.pipe(v.string(), v.digits()) });
export type SequenceLine = v.InferOutput<typeof SequenceLine>;

const SecretsLine = v.record(Name, Text);

export interface WrittenPart {
  part: Part;
  /** Whole lines, cut anywhere. */
  lines: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** The file is damaged, of another format, or no backup: the message says what to do. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

/**
 * Writes a backup that only its owner may read. It appears under `path` when it is whole and on the disk. Returns its size in bytes.
 *
 * @throws a sentence if there is such a file already
 */
export async function writeBackupFile(
  path: string,
  header: Header,
  parts: AsyncIterable<WrittenPart>,
): Promise<number> {
  const unfinished = `${path}.unfinished`;
  const hash = createHash('sha256');
  let bytes = 0;
  async function* frames(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hashed = (chunk: Buffer): Buffer => {
      hash.update(chunk);
      bytes += chunk.length;
      return chunk;
    };
    yield hashed(MARK);
    for await (const chunk of compressed) yield hashed(chunk);
    yield skippedFrame(hash.digest());
  }
  await rm(unfinished, { force: true });
  try {
    await pipeline(
      Readable.from(textOf(header, parts), { objectMode: false }),
      createZstdCompress(),
      frames,
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    );
    // Unlike a rename, it never replaces a file.
    await link(unfinished, path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? new BackupFileError(`${path} is there already.`) : error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  return bytes + HASH_FRAME_BYTES;
}

async function* textOf(header: Header, parts: AsyncIterable<WrittenPart>): AsyncGenerator<Buffer> {
  yield jsonLine(header);
  for await (const { part, lines } of parts) {
    yield jsonLine(part);
    let count = 0;
    for await (const chunk of lines) {
      count += countLines(chunk);
      yield chunk;
    }
    yield END;
    yield jsonLine(count);
  }
}

/** A line of a part, or one that says what follows. */
export const jsonLine = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

export interface ReadPart {
  part: Part;
  /** Whole lines, cut anywhere. What isn't read is passed over. */
  lines: AsyncIterable<Buffer>;
  /** The number of lines, once they are read. Throws if it isn't the number of lines when they were written. */
  count(): number;
}

export interface BackupFile {
  path: string;
  header: Header;
  bytes: number;
  /** Reads the parts from the beginning on, each time it is called. `onBytes` receives how far in the file it is. */
  parts(onBytes?: (read: number) => void): AsyncGenerator<ReadPart>;
}

/**
 * Reads the whole file once to see that no byte of it is missing or another one.
 *
 * @throws BackupFileError
 */
export async function openBackupFile(path: string): Promise<BackupFile> {
  const bytes = await verify(path);
  const text = new TextReader(decompress(path, bytes));
  const header = parseLine(Header, await text.line());
  await text.close();
  return { path, header, bytes, parts: (onBytes) => readParts(path, bytes, onBytes) };
}

/** Returns the size. */
async function verify(path: string): Promise<number> {
  const file = await open(path, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new BackupFileError(`There is no file ${path}.`) : error;
  });
  try {
    const { size } = await file.stat();
    const mark = Buffer.alloc(MARK.length);
    await file.read(mark, 0, mark.length, 0);
    if (!mark.equals(MARK))
      throw new BackupFileError(`${path} is no backup that npm run backup of this version made.`);
    const hash = createHash('sha256');
    const end = Math.max(MARK.length, size - HASH_FRAME_BYTES);
    for await (const chunk of file.createReadStream({ start: 0, end: end - 1, autoClose: false }))
      hash.update(chunk);
    const kept = Buffer.alloc(HASH_FRAME_BYTES);
    await file.read(kept, 0, kept.length, end);
    if (!kept.equals(skippedFrame(hash.digest())))
      throw new BackupFileError(
        `${path} is cut off or was changed: its checksum is another one. Nothing was written. Copy the file again, or take another backup.`,
      );
    return size;
  } finally {
    await file.close();
  }
}

function decompress(path: string, bytes: number, onBytes?: (read: number) => void): Readable {
  const file = createReadStream(path, { start: MARK.length, end: bytes - HASH_FRAME_BYTES - 1 });
  const text = createZstdDecompress();
  if (onBytes) file.on('data', () => onBytes(file.bytesRead));
  file.on('error', (error) => text.destroy(error));
  text.on('close', () => file.destroy());
  return file.pipe(text);
}

async function* readParts(
  path: string,
  bytes: number,
  onBytes?: (read: number) => void,
): AsyncGenerator<ReadPart> {
  const text = new TextReader(decompress(path, bytes, onBytes));
  try {
    await text.line();
    for (let line = await text.line(); line !== undefined; line = await text.line()) {
      const part = parseLine(Part, line);
      const reading = readLines(text);
      yield { part, lines: reading.lines, count: reading.count };
      for await (const _ of reading.lines);
    }
  } finally {
    await text.close();
  }
}

function readLines(text: TextReader): Pick<ReadPart, 'lines' | 'count'> {
  let read = 0;
  let written: number | undefined;
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const chunk of text.linesToEnd()) {
      read += countLines(chunk);
      yield chunk;
    }
    written = parseLine(Count, await text.line());
  }
  const all = lines();
  return {
    // A caller that stops in the middle must not end the generator.
    lines: { [Symbol.asyncIterator]: () => ({ next: () => all.next() }) },
    count: () => {
      if (read !== written) throw new BackupFileError(`A part has ${read} lines and should have ${written}.`);
      return read;
    },
  };
}

function parseLine<Schema extends v.GenericSchema>(
  schema: Schema,
  line: string | undefined,
): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(line ?? ''));
  } catch (cause) {
    throw new BackupFileError(
      'This backup has something that this version doesn’t know. Check out the version that made it, or a newer one.',
      { cause },
    );
  }
}

/** The lines of JSON of a part. */
export async function* readJsonLines<Schema extends v.GenericSchema>(
  schema: Schema,
  lines: AsyncIterable<Buffer>,
): AsyncGenerator<v.InferOutput<Schema>> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of lines) {
    rest = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE, from)) {
      yield parseLine(schema, rest.toString('utf8', from, at));
      from = at + 1;
    }
    rest = rest.subarray(from);
  }
}

/** The secrets of a backup; undefined: it has none. */
export async function readSecrets(backup: BackupFile): Promise<Record<string, string> | undefined> {
  for await (const { part, lines } of backup.parts()) {
    if (part.kind !== 'secrets') return undefined;
    for await (const secrets of readJsonLines(SecretsLine, lines)) return secrets;
  }
  return undefined;
}

/** Cuts a text into lines, and into runs of lines up to one that is `\.`. */
class TextReader {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
    this.#stream.destroy();
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }

  /** Undefined at the end. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const at = this.#rest.indexOf(NEWLINE);
      if (at !== -1) {
        const line = this.#rest.toString('utf8', 0, at);
        this.#rest = this.#rest.subarray(at + 1);
        return line;
      }
      if (this.#rest.length > MAX_LINE_BYTES)
        throw new BackupFileError('This backup has a line without an end.');
      if (!(await this.#more())) return undefined;
    }
  }

  /** All lines before `\.`, which it takes too. */
  async *linesToEnd(): AsyncGenerator<Buffer> {
    // No line of COPY or JSON is `\.` alone.
    const end = Buffer.concat([Buffer.from('\n'), END]);
    let isFirst = true;
    for (;;) {
      while (this.#rest.length < end.length - 1) if (!(await this.#more())) throw endless();
      if (isFirst && this.#rest.subarray(0, END.length).equals(END)) {
        this.#rest = this.#rest.subarray(END.length);
        return;
      }
      isFirst = false;
      const at = this.#rest.indexOf(end);
      // The end may be cut: its first bytes stay for the next chunk.
      const upTo = at === -1 ? this.#rest.length - (end.length - 1) : at + 1;
      if (upTo > 0) yield this.#rest.subarray(0, upTo);
      this.#rest = this.#rest.subarray(at === -1 ? upTo : upTo + END.length);
      if (at !== -1) return;
      if (!(await this.#more())) throw endless();
    }
  }
}

const endless = () => new BackupFileError('This backup has a part without an end.');

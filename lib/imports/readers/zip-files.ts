/** Reads ZIP archives (PKWARE's APPNOTE.TXT 6.3, with its 64-bit fields) by their directory, with what browsers bring. */
import { type ExportFile, isCsvName, tellName } from './export-file.ts';
import { ImportProblem } from './import-problem.ts';

const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const MAX_COMMENT = 0xffff;
/** A field with this value stands in the entry's extra field instead. */
const ELSEWHERE = 0xffffffff;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** An export has ten files; a folder may contain others. */
const MAX_ENTRIES = 2000;
const MAX_DIRECTORY_BYTES = 4 * 1024 ** 2;

interface Entry {
  path: string;
  method: number;
  packed: number;
  size: number;
  offset: number;
}

export async function isZip(file: Blob): Promise<boolean> {
  return file.size >= 4 && (await viewOf(file, 0, 4)).getUint32(0, true) === LOCAL;
}

/**
 * The CSV files of an archive. One that inflates to another size than the directory states fails while it is read.
 *
 * @throws ImportProblem if it is no archive, or one of another kind
 */
export async function filesOfZip(archive: Blob, name: string): Promise<ExportFile[]> {
  const entries = await readDirectory(archive).catch(() => {
    throw new ImportProblem({ file: tellName(name) }, 'is not a valid ZIP archive');
  });
  return entries
    .filter(({ path }) => isCsvName(baseName(path)) && !path.startsWith('__MACOSX/'))
    .map((entry) => ({
      name: baseName(entry.path),
      size: entry.size,
      open: async () => inflate(archive, entry),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

async function viewOf(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}

async function readDirectory(archive: Blob): Promise<Entry[]> {
  const { count, bytes, offset } = await findDirectory(archive);
  if (count > MAX_ENTRIES || bytes > MAX_DIRECTORY_BYTES) throw new Error('too many entries');
  const view = await viewOf(archive, offset, offset + bytes);
  const entries: Entry[] = [];
  let at = 0;
  for (let place = 0; place < count; place += 1) {
    if (view.getUint32(at, true) !== ENTRY) throw new Error('no entry');
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const nameEnd = at + 46 + (nameBytes ?? 0);
    entries.push(readEntry(view, at, nameEnd, nameEnd + (extraBytes ?? 0)));
    at = nameEnd + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return entries;
}

function readEntry(view: DataView, at: number, nameEnd: number, extraEnd: number): Entry {
  const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, nameEnd - at - 46));
  const method = view.getUint16(at + 10, true);
  if ((view.getUint16(at + 8, true) & ENCRYPTED) !== 0 || (method !== STORED && method !== DEFLATED))
    throw new Error('an entry of another kind');
  if (path.startsWith('/') || path.split(/[/\\]/).includes('..'))
    throw new Error('a path that leads elsewhere');
  // The 64-bit fields stand in this order, each only if its short field says so.
  let next = findWideFields(view, nameEnd, extraEnd);
  const [size = 0, packed = 0, offset = 0] = [24, 20, 42].map((field) => {
    const short = view.getUint32(at + field, true);
    if (short !== ELSEWHERE) return short;
    next += 8;
    return wide(view, next - 8);
  });
  return { path, method, size, packed, offset };
}

function findWideFields(view: DataView, from: number, to: number): number {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === 1) return at + 4;
  return to;
}

const wide = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

interface Directory {
  count: number;
  bytes: number;
  offset: number;
}

async function findDirectory(archive: Blob): Promise<Directory> {
  const start = Math.max(0, archive.size - END_BYTES - MAX_COMMENT - LOCATOR_BYTES);
  const view = await viewOf(archive, start, archive.size);
  let at = view.byteLength - END_BYTES;
  while (at >= 0 && view.getUint32(at, true) !== END) at -= 1;
  if (at < 0) throw new Error('no end');
  const locator = at - LOCATOR_BYTES;
  if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64)
    return readWideEnd(archive, wide(view, locator + 8));
  return {
    count: view.getUint16(at + 10, true),
    bytes: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
  };
}

async function readWideEnd(archive: Blob, at: number): Promise<Directory> {
  const view = await viewOf(archive, at, at + 56);
  if (view.getUint32(0, true) !== END_64) throw new Error('no end');
  return { count: wide(view, 32), bytes: wide(view, 40), offset: wide(view, 48) };
}

async function* inflate(archive: Blob, entry: Entry): AsyncGenerator<Uint8Array> {
  const local = await viewOf(archive, entry.offset, entry.offset + 30);
  if (local.getUint32(0, true) !== LOCAL) throw new Error('no file');
  const start = entry.offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = archive.slice(start, start + entry.packed).stream();
  let bytes = 0;
  for await (const chunk of chunksOf(
    entry.method === STORED ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw')),
  )) {
    bytes += chunk.length;
    if (bytes > entry.size) break;
    yield chunk;
  }
  if (bytes !== entry.size) throw new Error('another size than the directory states');
}

/** Not every browser can loop over a stream. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

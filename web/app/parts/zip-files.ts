/** Files in one ZIP archive, as they are: not compressed (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). */
export interface NamedFile {
  /** ASCII. */
  name: string;
  bytes: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** 1 January 1980, the earliest date that there is: archives of the same files are the same. */
const DATE = 33;

function crcOf(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

/** Numbers of two or four bytes, little-endian. */
function packed(...fields: readonly [bytes: 2 | 4, value: number][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/** The parts of the archive, for a `Blob`. */
export function zipFiles(files: readonly NamedFile[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const nameBytes = new TextEncoder().encode(name);
    const common = [
      ...([
        [2, VERSION],
        [2, 0],
        [2, 0],
        [2, 0],
        [2, DATE],
        [4, crcOf(bytes)],
      ] as const),
      ...([
        [4, bytes.length],
        [4, bytes.length],
        [2, nameBytes.length],
        [2, 0],
      ] as const),
    ].map(([size, value]): [2 | 4, number] => [size, value]);
    const head = packed([4, LOCAL], ...common);
    parts.push(head, nameBytes, bytes);
    directory.push(
      packed([4, CENTRAL], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      nameBytes,
    );
    offset += head.length + nameBytes.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = files.length;
  return [
    ...parts,
    ...directory,
    packed([4, END], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, offset], [2, 0]),
  ];
}

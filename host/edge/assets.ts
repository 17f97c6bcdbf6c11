/** A function's static files, which the edge serves before the function is asked. Files and their rules (`_headers`) are read once. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { acceptsCoding } from './accepts-coding.ts';

export interface Assets {
  /** Undefined: there is no such file, and the function answers. */
  answer(request: Request): Promise<Response | undefined>;
}

interface Asset {
  headers: [string, string][];
  etag: string;
  identity: Bytes;
  /** Whether it gets shorter. */
  isText: boolean;
  /** Made when they are first asked for, since all together take seconds. */
  compressed: Partial<Record<Coding, Promise<Bytes>>>;
}

type Bytes = Buffer<ArrayBuffer>;

/** In the order of what is shorter. */
const CODINGS = {
  br: (bytes: Bytes) => promisify(brotliCompress)(bytes),
  gzip: (bytes: Bytes) => promisify(gzip)(bytes, { level: 9 }),
};
type Coding = keyof typeof CODINGS;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tgz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};
const COMPRESSED = new Set(['.css', '.js', '.json', '.svg', '.txt']);
const RULES = '_headers';

export async function loadAssets(folder: string): Promise<Assets> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const rules = parseRules(await readFile(join(folder, RULES), 'utf8').catch(() => ''));
  const files = new Map<string, Asset>();
  for (const entry of names) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    if (entry.isFile() && path !== `/${RULES}`) files.set(path, await loadAsset(file, rules(path)));
  }
  return {
    answer: async (request) => {
      const asset = files.get(new URL(request.url).pathname);
      if (asset === undefined) return undefined;
      if (request.method === 'GET' || request.method === 'HEAD') return answerWith(asset, request);
      return new Response('Method Not Allowed', { status: 405, headers: asset.headers });
    },
  };
}

async function answerWith(asset: Asset, request: Request): Promise<Response> {
  const { headers, etag, identity } = asset;
  const known = request.headers.get('If-None-Match')?.split(/\s*,\s*/) ?? [];
  if (known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag))
    return new Response(null, { status: 304, headers });
  const coding = asset.isText
    ? (Object.keys(CODINGS) as Coding[]).find((one) => acceptsCoding(request, one))
    : undefined;
  const short = coding && (await compressed(asset, coding));
  const isShort = short !== undefined && short.byteLength < identity.byteLength;
  const body = isShort ? short : identity;
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: [
      ...headers,
      ['Content-Length', String(body.byteLength)],
      ...(isShort ? [['Content-Encoding', coding] as [string, string]] : []),
    ],
  });
}

function compressed(asset: Asset, coding: Coding): Promise<Bytes> {
  asset.compressed[coding] ??= CODINGS[coding](asset.identity);
  return asset.compressed[coding];
}

async function loadAsset(file: string, ruled: [string, string][]): Promise<Asset> {
  const identity = await readFile(file);
  const isText = COMPRESSED.has(extname(file));
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  const has = (name: string): boolean => ruled.some(([other]) => other.toLowerCase() === name.toLowerCase());
  const own: [string, string][] = [
    ['Content-Type', TYPES[extname(file)] ?? 'application/octet-stream'],
    ['ETag', etag],
    ['Cache-Control', 'public, max-age=0, must-revalidate'],
    ...(isText ? [['Vary', 'Accept-Encoding'] as [string, string]] : []),
  ];
  return {
    headers: [...own.filter(([name]) => !has(name)), ...ruled],
    ...{ etag, identity, isText },
    compressed: {},
  };
}

/** Cloudflare's format: a path with `*` as a line, below it its headers. A header of several rules has the last one's value. */
function parseRules(text: string): (path: string) => [string, string][] {
  const rules: { matches: RegExp; headers: [string, string][] }[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      const source = line
        .trim()
        .split('*')
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*');
      rules.push({ matches: new RegExp(`^${source}$`), headers: [] });
      continue;
    }
    const colon = line.indexOf(':');
    rules.at(-1)?.headers.push([line.slice(0, colon).trim(), line.slice(colon + 1).trim()]);
  }
  return (path) => {
    const found = rules.filter(({ matches }) => matches.test(path)).flatMap(({ headers }) => headers);
    return [...new Map(found.map((header) => [header[0].toLowerCase(), header])).values()];
  };
}

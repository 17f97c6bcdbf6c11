import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The views, by the name of their source. */
export const CHAT_VIEWS = ['site', 'trace'] as const;
export type ChatView = (typeof CHAT_VIEWS)[number];

/** Chats load a view for each answer that they show. */
export const MAX_VIEW_BYTES = 30 * 1024;

/** Bundles a view as one HTML document that loads nothing. The same sources give the same bytes. */
export async function bundleChatView(view: ChatView): Promise<string> {
  const [script, style] = await Promise.all([bundle(`${view}.tsx`), bundle('chat.css')]);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join(';');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>Vendor</title><style>${style}</style></head>`,
    `<body><script>${script}</script></body></html>`,
  ].join('');
}

async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, file)],
    bundle: true,
    write: false,
    format: 'iife',
    target: ['es2022', 'chrome123', 'safari17.5', 'firefox120'],
    charset: 'utf8',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
  });
  return (outputFiles[0]?.text ?? '').trim();
}

const hashOf = (source: string): string => `sha256-${createHash('sha256').update(source).digest('base64')}`;

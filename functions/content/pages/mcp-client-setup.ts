import type { Language } from '../../../lib/languages.ts';
import { factsIn, type Links } from '../content-links.ts';

/** In the order of the page. */
export const CLIENTS = ['claudeCode', 'claude', 'cursor', 'vscode', 'codex', 'gemini', 'curl'] as const;
export type Client = (typeof CLIENTS)[number];

export interface Snippet {
  title: string;
  /** Each item is one block to copy. */
  blocks: string[];
}

/**
 * The text that connects each client, according to the client's documentation. `name` is the publisher's name; the examples search for
 * `query` and read in `language`.
 */
export function snippetsFor(
  name: string,
  { mcp, search, detail }: Links,
  { language, query }: { language: Language; query: string },
): Record<Client, Snippet> {
  const key = keyOf(name);
  const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return {
    claudeCode: { title: 'Claude Code', blocks: [`claude mcp add --transport http ${key} ${mcp}`] },
    claude: { title: 'Claude Desktop, claude.ai', blocks: [mcp] },
    cursor: { title: 'Cursor', blocks: [pretty({ mcpServers: { [key]: { url: mcp } } })] },
    vscode: { title: 'VS Code', blocks: [pretty({ servers: { [key]: { type: 'http', url: mcp } } })] },
    codex: { title: 'Codex CLI', blocks: [`codex mcp add ${key} --url ${mcp}`] },
    gemini: { title: 'Gemini CLI', blocks: [`gemini mcp add --transport http ${key} ${mcp}`] },
    curl: {
      title: 'curl',
      blocks: [
        `curl '${search}?query=${query}&language=${language}'`,
        `curl '${detail(factsIn(language))}'`,
        `curl ${mcp} -H 'Content-Type: application/json' \\\n  -d '${listTools}'`,
      ],
    },
  };
}

/** The server's name in clients: `Cais Norte` becomes `cais-norte`. */
export function keyOf(name: string): string {
  const letters = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return letters.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'content';
}

const pretty = (value: object): string => JSON.stringify(value, null, 2);

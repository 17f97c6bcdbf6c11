import type { peopleWords } from '../../words/people.ts';

export type Client = keyof typeof peopleWords.keys.clients;

/** What connects a client to `/mcp` of this service with a query token, in the client's own format. */
export function clientLines(token: string): Record<Client, string> {
  const url = `${window.location.origin}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  const json = (value: object): string => JSON.stringify(value, null, 2);
  return {
    claude: `claude mcp add --transport http vendor ${url} --header "Authorization: Bearer ${token}"`,
    cursor: json({ mcpServers: { vendor: { url, headers } } }),
    vscode: json({ servers: { vendor: { type: 'http', url, headers } } }),
  };
}

/** A first request with an API key. */
export const curlLine = (token: string): string =>
  `curl -H "Authorization: Bearer ${token}" ${window.location.origin}/api/v1/sites`;

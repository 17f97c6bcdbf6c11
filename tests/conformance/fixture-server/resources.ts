import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { PNG } from './media-samples.ts';

export function addResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text.', mimeType: 'text/plain' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'A static text resource.' }] }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image.', mimeType: PNG.mimeType },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: PNG.mimeType, blob: PNG.data }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', {
      list: undefined,
      complete: { id: (start) => ['123', '124', '200'].filter((id) => id.startsWith(start)) },
    }),
    { description: 'Data of an id.', mimeType: 'application/json' },
    ({ href: uri }, { id }) => ({
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
    }),
  );
}

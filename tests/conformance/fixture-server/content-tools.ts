/** Tools without arguments, one for each kind of content. */
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { PNG, WAV } from './media-samples.ts';

type Content = CallToolResult['content'];

const ANSWERS: Record<string, Content> = {
  test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
  test_image_content: [{ type: 'image', ...PNG }],
  test_audio_content: [{ type: 'audio', ...WAV }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', ...PNG },
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
};

export function addContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(ANSWERS)) {
    server.registerTool(name, { description: 'Answers content.' }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

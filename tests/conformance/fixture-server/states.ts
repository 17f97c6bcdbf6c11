import { createRequestStateCodec } from '@modelcontextprotocol/server';

/** Seals what a tool wants to know again when the client has answered. The key protects nothing here. */
export const states = createRequestStateCodec<{ tool: string; round: number }>({
  key: 'a-key-of-the-fixture-that-is-no-secret',
});

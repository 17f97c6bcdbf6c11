import { createRequestStateCodec } from '@modelcontextprotocol/server';

/** Seals the data that a tool needs again when the client has answered. In tests the key isn't secret. */
export const states = createRequestStateCodec<{ tool: string; round: number }>({
  key: 'a-key-of-the-fixture-that-is-no-secret',
});

/** The server's name in the protocol, and the last part of its name in the server card. */
export const SERVER_NAME = 'vendor-content';

/** The server's own version (docs/content.md#mcp). */
export const VERSION = '1.0.0';

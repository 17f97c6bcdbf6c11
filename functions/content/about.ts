/** The server's name in the protocol, and the last part of its name on its card. */
export const SERVER_NAME = 'vendor-content';

/** Specification, "Versioning". */
export const VERSION = '1.0.0';

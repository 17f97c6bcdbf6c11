/**
 * A random UUID (version 4): the end of the address that a browser creates for an empty blob. `crypto.randomUUID` is missing on pages
 * without TLS, and own code would need more bytes.
 */
export const uuid = (): string => URL.createObjectURL(new Blob()).slice(-36);

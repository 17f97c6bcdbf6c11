/**
 * A random UUID (version 4): the end of the name that a browser makes for an empty blob. `crypto.randomUUID` is missing on
 * pages without TLS, and one made by hand weighs more.
 */
export const uuid = (): string => URL.createObjectURL(new Blob()).slice(-36);

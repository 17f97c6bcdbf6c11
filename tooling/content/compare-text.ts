/** Orders by code point, the same on every machine. For `sort`. */
export const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A random UUID (version 4). `crypto.randomUUID` is missing on pages without TLS, so it is made by hand. */
export const uuid = (): string =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    ((crypto.getRandomValues(new Uint8Array(1))[0] as number) & 15).toString(16),
  );

/** A random UUID (version 4, its variant always 8). `crypto.randomUUID` is missing on pages without TLS. */
export const uuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(36));
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, (_, at: number) =>
    ((bytes[at] as number) % 16).toString(16),
  );
};

const SECRET_FIELDS = new Set(['password', 'newPassword', 'secret', 'token', 'code']);

/** Hex SHA-256 of an input as JSON with sorted keys, without secret and undefined fields. */
export async function hashInput(input: unknown): Promise<string> {
  const text = JSON.stringify(input, (name, value: unknown) => {
    if (SECRET_FIELDS.has(name)) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

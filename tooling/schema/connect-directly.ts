import pg from 'pg';

/**
 * Lends a connection to the database at a direct address, for settings and locks that are the session's.
 *
 * @throws a sentence for the operator: it is no address, or a pooler's
 */
export async function connectDirectly<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  if (!URL.canParse(url))
    throw new Error('DATABASE_URL is no address: postgres://user:password@host/database');
  if (new URL(url).hostname.includes('-pooler.'))
    throw new Error(
      'DATABASE_URL is the address of a pooler, which has no sessions: take the one without "-pooler".',
    );
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a connection closed by the server would end this process without a message.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

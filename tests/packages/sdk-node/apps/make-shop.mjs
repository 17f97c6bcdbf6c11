/** A small shop: one HTTP server with PostgreSQL, node:sqlite and pino. It is asked once in each way, and ends. */
export async function runShop({ http, pg, pino, DatabaseSync, sdk }) {
  const logger = pino({ redact: ['card'] });
  const pool = new pg.Pool({ connectionString: process.env.SHOP_DATABASE_URL, max: 1 });
  const kept = new DatabaseSync(':memory:');
  kept.exec("create table basket (id integer primary key, item text); insert into basket values (1, 'pick')");
  const find = kept.prepare('select item from basket where id = ?');

  async function order(id) {
    sdk.setRoute('/orders/:id');
    const { rows } = await pool.query("select 'secret' as word, $1::int as id", [id]);
    logger.info({ order: rows[0].id, card: '4711' }, 'ordered');
    const { status } = await sdk.confirmOutcome({
      source: 'shop',
      domainEventId: `order-${id}`,
      type: 'order.paid',
      occurredAt: process.env.SHOP_NOW,
      value: { amount: '9.90', currency: 'EUR' },
    });
    return { ...find.get(1), ...rows[0], status };
  }

  const server = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://shop');
    try {
      if (pathname === '/fail') await pool.query("select 'secret' from nowhere");
      response.end(JSON.stringify(await order(Number(pathname.split('/')[2]))));
    } catch (error) {
      logger.error(error, 'failed');
      response.writeHead(500).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const answers = [];
  for (const path of ['/orders/7?token=secret', '/fail']) {
    const response = await fetch(origin + path, { headers: { 'User-Agent': 'secret' } });
    answers.push([response.status, await response.text()]);
  }
  await pool.end();
  server.close();
  server.closeAllConnections();
  process.stdout.write(`answers ${JSON.stringify(answers)}\n`);
}

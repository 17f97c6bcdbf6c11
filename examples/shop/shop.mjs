/**
 * A small shop: pages with the tracker, orders in PostgreSQL, and a log line and a confirmed outcome for each order. README.md says how to
 * run it.
 */
import { start } from '@vendor/sdk-node';
import express from 'express';
import pg from 'pg';
import pino from 'pino';
import { homePage, itemPage, missingPage } from './pages.mjs';

const { DATABASE_URL, SHOP_SITE, VENDOR_ENDPOINT, PORT = '3000' } = process.env;
const origin = `http://localhost:${PORT}`;

// `--import @vendor/sdk-node/register` has started it already. This is how the application gets hold of it.
const sdk = start();
const log = pino();
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 5 });
/** What the pages need to load the tracker. */
const tracker = { script: `${VENDOR_ENDPOINT}/tracker.js`, site: SHOP_SITE, origin };

await pool.query(`
  create table if not exists shop_items (id int primary key, name text not null, price numeric(8, 2) not null);
  insert into shop_items values (1, 'Plectrum', 0.90), (2, 'Strings', 14.50), (3, 'Guitar', 349.00) on conflict do nothing;
  create table if not exists shop_orders (
    id bigint primary key generated always as identity,
    item int not null references shop_items,
    paid_at timestamptz not null default now()
  );`);

const app = express();
app.use(express.json());

app.get('/', async (_request, response) => {
  const { rows } = await pool.query('select id, name, price from shop_items order by id');
  response.send(homePage(tracker, rows));
});

app.get('/items/:id', async (request, response) => {
  const item = await findItem(request.params.id);
  if (item === undefined) response.status(404).send(missingPage(tracker));
  else response.send(itemPage(tracker, item));
});

app.post('/orders', async (request, response) => {
  const item = await findItem(request.body?.item);
  if (item === undefined) {
    log.warn('an order of an unknown item');
    response.status(400).json({ error: 'There is no such item.' });
    return;
  }
  const { rows } = await pool.query('insert into shop_orders (item) values ($1) returning id, paid_at', [
    item.id,
  ]);
  const [order] = rows;
  log.info({ order: order.id, item: item.name }, 'paid');
  confirm(order, item);
  response.status(201).json({ order: order.id });
});

/** The item with an id that comes from outside. */
async function findItem(id) {
  if (!/^\d{1,9}$/.test(String(id))) return undefined;
  const { rows } = await pool.query('select id, name, price from shop_items where id = $1', [Number(id)]);
  return rows[0];
}

/** The buyer doesn't wait for it: the SDK sends it up to five times. */
function confirm(order, item) {
  sdk
    .confirmOutcome({
      source: 'shop',
      domainEventId: `order-${order.id}-paid`,
      type: 'order.paid',
      occurredAt: order.paid_at,
      value: { amount: item.price, currency: 'EUR' },
      siteId: SHOP_SITE,
    })
    .catch((error) => log.error(error, 'the outcome was not stored'));
}

const server = app.listen(Number(PORT), 'localhost', (error) => {
  if (error) throw error;
  log.info(`The shop is open: ${origin}`);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    server.close();
    await pool.end();
    await sdk.shutdown();
    process.exit(0);
  });
}

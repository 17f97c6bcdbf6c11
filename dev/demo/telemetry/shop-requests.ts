/** Requests of the demo shop's backend: their steps and their failures. */
import type { ResourceRow, ScopeRow } from '../../../lib/otlp/rows.ts';
import type { Random } from '../seeded-random.ts';
import type { Step } from './span-tree.ts';

const WEB = 0;
const API = 1;
const PAYMENTS = 2;
/** Where the shop's pages are, and the backend that they ask. */
export const PAGE_ORIGIN = 'https://localhost';
export const API_ORIGIN = 'https://api.localhost';
export const SERVICES = ['shop-web', 'shop-api', 'payments'] as const;

export const RESOURCES: ResourceRow[] = SERVICES.map((name) => ({
  attributes: {
    'service.name': name,
    'service.version': '2.4.1',
    'service.instance.id': `${name}-1`,
    'deployment.environment.name': 'production',
    'telemetry.sdk.language': 'nodejs',
  },
  schemaUrl: '',
  droppedAttributes: 0,
}));

export const SCOPES: ScopeRow[] = [
  { name: 'demo', version: '1.0.0', attributes: {}, schemaUrl: '', droppedAttributes: 0 },
];

export interface Circumstances {
  random: Random;
  /** A faulty deployment: the database is slow, and every fifth payment fails. */
  isBad: boolean;
}

/** What each service throws when a payment isn't answered, as Node.js writes it. */
const THROWN: Readonly<Record<number, NonNullable<Step['thrown']>>> = {
  [WEB]: {
    type: 'UpstreamError',
    stack: `    at postOrder (file:///srv/shop-web/src/checkout/post-order.js:58:13)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at async handleCheckout (file:///srv/shop-web/src/routes/checkout.js:21:18)`,
  },
  [API]: {
    type: 'PaymentFailed',
    stack: `    at chargeOrder (file:///srv/shop-api/dist/orders/charge-order.js:44:11)
    at async createOrder (file:///srv/shop-api/dist/orders/create-order.js:30:20)
    at async file:///srv/shop-api/node_modules/fastify/lib/handle-request.js:87:5`,
  },
  [PAYMENTS]: {
    type: 'AcquirerTimeout',
    stack: `    at Timeout.<anonymous> (file:///srv/payments/node_modules/p-timeout/index.js:70:12)
    at askAcquirer (file:///srv/payments/src/acquirer.js:31:9)
    at async createCharge (file:///srv/payments/src/charges.js:17:20)`,
  },
};

/** A latency with a long tail around the median, in milliseconds. */
const latency = (random: Random, middle: number): number =>
  middle * Math.exp(0.45 * (random.next() + random.next() - 1) * 2);

const http = (method: string, route: string, status: number) => ({
  'http.request.method': method,
  'http.route': route,
  'http.response.status_code': status,
  'url.scheme': 'https',
});

function query({ random, isBad }: Circumstances, summary: string): Step {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.namespace': 'shop' };
  return { service: API, name: summary, kind: 3, attributes, ms: latency(random, isBad ? 240 : 3) };
}

/** One service calls another over HTTP. */
function call(
  random: Random,
  from: number,
  method: string,
  route: string,
  status: number,
  served: Omit<Step, 'name' | 'kind' | 'attributes'>,
): Step {
  const thrown = THROWN[from];
  const error =
    status >= 500 ? { error: served.error ?? `answered ${status}`, ...(thrown && { thrown }) } : {};
  return {
    service: from,
    name: method,
    kind: 3,
    attributes: { ...http(method, route, status), 'server.address': `${SERVICES[served.service]}.internal` },
    ms: latency(random, 1.5),
    ...error,
    calls: [{ ...served, name: `${method} ${route}`, kind: 2, attributes: http(method, route, status) }],
  };
}

/** A visitor views something. */
export function browse(circumstances: Circumstances): Step {
  const { random } = circumstances;
  const route = random.pick([
    ['/products', 5],
    ['/products/:id', 9],
    ['/search', 2],
  ] as const);
  const table = route === '/search' ? 'SELECT product_search' : 'SELECT products';
  const served = { service: API, ms: latency(random, 6), calls: [query(circumstances, table)] };
  return {
    service: WEB,
    name: `GET ${route}`,
    kind: 2,
    attributes: http('GET', route, 200),
    ms: latency(random, 9),
    calls: [call(random, WEB, 'GET', `/v1${route}`, 200, served)],
  };
}

const DECLINED = 'card declined by the issuer';
const TIMED_OUT = 'the acquirer did not answer within 2 s';

/** A visitor orders on a page of the shop; it is paid unless there was a `problem`. */
export function order(circumstances: Circumstances): {
  step: Step;
  status: number;
  problem: string | undefined;
} {
  const { random, isBad } = circumstances;
  const isSlow = random.chance(isBad ? 0.2 : 0.01);
  const problem = isSlow ? TIMED_OUT : random.chance(0.03) ? DECLINED : undefined;
  const status = problem === undefined ? 201 : isSlow ? 504 : 402;
  const wrongOf = (service: number) => {
    const thrown = THROWN[service];
    return isSlow ? { error: TIMED_OUT, ...(thrown && { thrown }) } : {};
  };
  const acquirer: Step = {
    service: PAYMENTS,
    name: 'POST',
    kind: 3,
    attributes: { 'server.address': 'acquirer.example', 'http.request.method': 'POST' },
    ms: isSlow ? 2000 : latency(random, 120),
    ...wrongOf(PAYMENTS),
  };
  const charge = call(random, API, 'POST', '/charges', status, {
    service: PAYMENTS,
    ms: latency(random, 8),
    calls: [acquirer],
    ...wrongOf(PAYMENTS),
  });
  const queries = [query(circumstances, 'INSERT orders'), charge, query(circumstances, 'UPDATE orders')];
  const step: Step = {
    service: WEB,
    name: 'POST /orders',
    kind: 2,
    attributes: { ...http('POST', '/orders', status), 'vendor.page.origin': PAGE_ORIGIN },
    ms: latency(random, 12),
    ...wrongOf(WEB),
    calls: [
      call(random, WEB, 'POST', '/v1/orders', status, {
        service: API,
        ms: latency(random, 10),
        calls: queries,
        ...wrongOf(API),
      }),
    ],
  };
  return { step, status, problem };
}

/** A job that runs each night. */
export const newsletter = (circumstances: Circumstances): Step => ({
  service: API,
  name: 'send newsletter',
  kind: 1,
  attributes: { 'job.name': 'newsletter' },
  ms: latency(circumstances.random, 900),
  calls: [query(circumstances, 'SELECT subscribers')],
});

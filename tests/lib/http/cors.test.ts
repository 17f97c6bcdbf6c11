import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createApp } from '../../../lib/http/app.ts';
import { publicCors } from '../../../lib/http/cors.ts';

const app = createApp({ name: 'test', env: v.object({}), resources: () => ({}), log: () => {} });
app.use('/open', publicCors({ methods: ['POST'] }));
app
  .post('/open', (c) => c.json({}))
  .get('/open', () => fetch('data:application/json,{}'))
  .post('/closed', (c) => c.json({}));

const preflight = {
  method: 'OPTIONS',
  headers: { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' },
};

test('a preflight of an open path is answered, without credentials', async () => {
  const response = await app.request('/open', preflight, {});
  expect(response.status).toBe(204);
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(response.headers.get('Access-Control-Allow-Methods')).toBe('POST');
  expect(response.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type');
  expect(response.headers.get('Access-Control-Max-Age')).toBe('86400');
  expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false);
});

test('answers and errors of an open path can be read by every page, also answers that can not be changed', async () => {
  for (const method of ['POST', 'GET', 'PUT', 'OPTIONS']) {
    const response = await app.request('/open', { method }, {});
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(response.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
    expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(response.status).toBe(['POST', 'GET'].includes(method) ? 200 : 405);
  }
});

test('other paths can not', async () => {
  for (const init of [preflight, { method: 'POST' }]) {
    const response = await app.request('/closed', init, {});
    expect(response.headers.has('Access-Control-Allow-Origin')).toBe(false);
  }
});

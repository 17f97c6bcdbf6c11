import fastify from 'fastify';
import { askShop, pieces } from './ask-shop.mjs';

const app = fastify();
app.get('/orders/:id', async ({ params }) => ({ id: params.id }));
app.post('/orders', async ({ body }, reply) => reply.code(201).send(body));
app.get('/stream', (_request, reply) => reply.send(pieces()));
app.get('/throws', () => {
  throw new Error('own');
});
app.get('/rejects', async () => {
  throw new Error('own');
});
for (const path of ['/first', '/second']) app.get(path, async () => '');
app.get('/pattern*', async () => '');
app.register(
  async (api) => {
    api.get('/items/:item', async () => '');
    api.get('/broken/:item', async () => {
      throw new Error('own');
    });
  },
  { prefix: '/api' },
);
app.setErrorHandler((error, _request, reply) => reply.code(500).type('text/plain').send(error.message));
await app.ready();
await askShop(app.server);

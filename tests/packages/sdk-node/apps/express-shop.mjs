import { createServer } from 'node:http';
import express from 'express';
import { askShop, pieces } from './ask-shop.mjs';

const app = express();
app.use(express.json());
app.get('/orders/:id', (request, response) => response.json({ id: request.params.id }));
app.post('/orders', (request, response) => response.status(201).json(request.body));
app.get('/stream', (_request, response) => pieces().pipe(response));
app.get('/throws', () => {
  throw new Error('own');
});
app.get('/rejects', async () => {
  throw new Error('own');
});
app.get(['/first', '/second'], (_request, response) => response.end());
app.get(/^\/pattern/, (_request, response) => response.end());
const router = express.Router();
router.get('/items/:item', (_request, response) => response.end());
router.get('/broken/:item', () => {
  throw new Error('own');
});
app.use('/api', router);
// Four arguments make a handler of errors.
app.use((error, _request, response, _next) => response.status(500).send(error.message));
await askShop(createServer(app));

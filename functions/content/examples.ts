import type { Examples, RouteExample } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

const unknownParameter: RouteExample = {
  summary: 'A parameter that does not exist',
  status: 400,
  query: { verbose: '1' },
};

export const examples: Examples<typeof routes> = {
  searchContent: [
    { summary: 'About accessibility', status: 200, query: { query: 'accessibility', language: 'en' } },
    {
      summary: 'All services in Portuguese',
      status: 200,
      query: { type: 'service', language: 'pt-PT', limit: '5' },
    },
    { summary: 'Everything in English', status: 200 },
    { summary: 'A query that is too short', status: 400, query: { query: 'a' } },
    { summary: 'A cursor that is not ours', status: 400, query: { cursor: 'not-a-cursor' } },
    { summary: 'A language that there is none of', status: 404, query: { language: 'fr' } },
    unknownParameter,
  ],
  getContent: [
    { summary: 'A service', status: 200, params: { id: 'service:website-design:en' } },
    {
      summary: 'A guide in Spanish',
      status: 200,
      params: { id: 'guide:writing-for-the-web' },
      query: { language: 'es' },
    },
    { summary: 'Business facts', status: 200, params: { id: 'business:facts:pt-PT' } },
    { summary: 'An unknown id', status: 404, params: { id: 'service:nothing:en' } },
    {
      summary: 'A cursor that is not ours',
      status: 400,
      params: { id: 'service:website-design:en' },
      query: { cursor: 'not-a-cursor' },
    },
    { summary: 'An id of other characters', status: 400, params: { id: 'service website' } },
  ],
  postMcp: [
    { summary: 'The tools', status: 200, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    {
      summary: 'A search',
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'search_content', arguments: { query: 'accessibility', limit: 3 } },
      },
    },
    {
      summary: 'A notification',
      status: 202,
      body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    },
    { summary: 'A batch', status: 400, body: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
  ],
  getHome: [
    { summary: 'The page', status: 200 },
    { summary: 'In Spanish', status: 200, query: { lang: 'es' } },
    { summary: 'From a campaign', status: 200, query: { lang: 'es', utm_source: 'newsletter' } },
  ],
  getReadingPage: [
    {
      summary: 'A guide in Spanish',
      status: 200,
      params: { id: 'guide:writing-for-the-web' },
      query: { lang: 'es' },
    },
    { summary: 'A service', status: 200, params: { id: 'service:website-design:en' } },
    {
      summary: 'From a campaign',
      status: 200,
      params: { id: 'business:facts:en' },
      query: { utm_source: 'x' },
    },
    { summary: 'An unknown id', status: 404, params: { id: 'service:nothing:en' } },
    { summary: 'An id of other characters', status: 404, params: { id: 'service website' } },
  ],
  getLlmsText: [{ summary: 'The summary', status: 200 }, unknownParameter],
  getOpenapi: [{ summary: 'The document', status: 200 }, unknownParameter],
  getServerCard: [{ summary: 'The card', status: 200 }, unknownParameter],
  getAiCatalog: [{ summary: 'The catalog', status: 200 }, unknownParameter],
};

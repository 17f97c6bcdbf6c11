import * as v from 'valibot';
import { ContentId, ContentItemOutput, DetailOutput, SearchOutput } from '../../lib/content/schemas.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { RouteContract, RouteExample } from '../../lib/http/contract.ts';
import { CARD_TYPE, CATALOG_TYPE } from './discovery.ts';
import { ContentQuery, HomeQuery, SearchQuery } from './read-query.ts';

const shared = { auth: 'public', limited: true } as const;
const rest = { ...shared, method: 'GET', tag: 'Content' } as const;
const about = { ...shared, method: 'GET', tag: 'Service', errors: [] } as const;
const reading: readonly ErrorCode[] = ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'];

const unchanged = { description: 'Unchanged since the answer whose `ETag` came in `If-None-Match`.' };
const unknownParameter: RouteExample = {
  summary: 'A parameter that does not exist',
  status: 400,
  query: { verbose: '1' },
};

const rpcId = v.nullable(v.union([v.string(), v.number()]));
const RpcRequest = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(v.union([v.string(), v.number()])),
  method: v.string(),
  params: v.optional(v.looseObject({})),
});
const RpcResponse = v.looseObject({ jsonrpc: v.literal('2.0'), id: rpcId });
const RpcError = v.looseObject({
  jsonrpc: v.literal('2.0'),
  id: v.optional(rpcId),
  error: v.looseObject({ code: v.number(), message: v.string() }),
});

const ServerCard = v.looseObject({
  $schema: v.pipe(v.string(), v.url()),
  name: v.string(),
  title: v.string(),
  description: v.string(),
  version: v.string(),
  websiteUrl: v.pipe(v.string(), v.url()),
  remotes: v.array(
    v.looseObject({
      type: v.literal('streamable-http'),
      url: v.pipe(v.string(), v.url()),
      supportedProtocolVersions: v.array(v.string()),
    }),
  ),
});
const AiCatalog = v.looseObject({
  specVersion: v.string(),
  entries: v.array(
    v.looseObject({ identifier: v.string(), type: v.literal(CARD_TYPE), url: v.pipe(v.string(), v.url()) }),
  ),
});

/** What the OpenAPI document says of the content service. */
export const routes: RouteContract[] = [
  {
    ...rest,
    path: '/api/agent/search',
    operationId: 'searchContent',
    summary: 'Search public content, or list all of it',
    description:
      'Finds words in titles, descriptions and keywords, in one language; never in full texts. Case and accents don’t ' +
      'matter; beginnings of words and one typing error in a long word do. For the next page repeat everything with ' +
      '`nextCursor` as `cursor`. While guides are out of reach the rest is found, with a warning; a search for guides ' +
      'alone is answered with 503. An unknown `language` is 404.',
    query: SearchQuery,
    responses: { 200: { description: 'A page of results.', schema: SearchOutput } },
    errors: reading,
    examples: [
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
  },
  {
    ...rest,
    path: '/api/agent/content/:id',
    operationId: 'getContent',
    summary: 'Read content by its id',
    description:
      'At most 20,000 characters of Markdown; repeat with `nextCursor` as `cursor` until it is null, and join the texts. ' +
      'Guides are in English unless `language` says otherwise; other ids name their own language, and another one beside ' +
      'them is 404. So is what isn’t public.',
    params: { id: ContentId },
    query: ContentQuery,
    responses: { 200: { description: 'A page of the text.', schema: DetailOutput } },
    errors: reading,
    examples: [
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
  },
  {
    ...shared,
    method: 'POST',
    path: '/mcp',
    operationId: 'postMcp',
    tag: 'Agents',
    summary: 'Model Context Protocol, Streamable HTTP',
    description:
      'One JSON-RPC message of the Model Context Protocol, versions 2026-07-28 and 2025-11-25 (and those before it that ' +
      'the latter’s clients negotiate): https://modelcontextprotocol.io/specification. Stateless; the answer is JSON. Use ' +
      'a client of the protocol. GET and DELETE are 405.',
    body: { schema: RpcRequest },
    responses: {
      200: { description: 'A JSON-RPC response.', schema: RpcResponse },
      202: { description: 'A notification was taken.' },
      400: { description: 'Not a message of the protocol, or its headers contradict it.', schema: RpcError },
      404: { description: 'A method that the protocol doesn’t have.', schema: RpcError },
      415: { description: 'Not JSON.', schema: RpcError },
    },
    errors: [],
    examples: [
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
  },
  {
    ...about,
    path: '/',
    operationId: 'getHome',
    summary: 'A page for people: what this is, and how to connect an agent',
    description:
      'In the language of `lang`, else of `Accept-Language`, else English. An unknown `lang` is 404.',
    query: HomeQuery,
    responses: { 200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' }, 304: unchanged },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'The page', status: 200 },
      { summary: 'In Spanish', status: 200, query: { lang: 'es' } },
      { summary: 'In a language that there is none of', status: 404, query: { lang: 'fr' } },
    ],
  },
  {
    ...about,
    path: '/llms.txt',
    operationId: 'getLlmsText',
    summary: 'A summary with links to all content, for language models',
    description: 'As https://llmstxt.org describes it, in Markdown.',
    responses: {
      200: { description: 'Markdown.', contentType: 'text/plain; charset=utf-8' },
      304: unchanged,
    },
    examples: [{ summary: 'The summary', status: 200 }, unknownParameter],
  },
  {
    ...about,
    path: '/openapi.json',
    operationId: 'getOpenapi',
    summary: 'This document',
    responses: {
      200: { description: 'OpenAPI 3.1.', schema: v.looseObject({ openapi: v.literal('3.1.0') }) },
      304: unchanged,
    },
    examples: [{ summary: 'The document', status: 200 }, unknownParameter],
  },
  {
    ...about,
    path: '/mcp/server-card',
    operationId: 'getServerCard',
    summary: 'The MCP server card: where and how to connect',
    description: 'As SEP-2127 of the Model Context Protocol defines it.',
    responses: {
      200: { description: 'The card.', schema: ServerCard, contentType: CARD_TYPE },
      304: unchanged,
    },
    examples: [{ summary: 'The card', status: 200 }, unknownParameter],
  },
  {
    ...about,
    path: '/.well-known/ai-catalog.json',
    operationId: 'getAiCatalog',
    summary: 'The AI Catalog of this host: names the server card',
    responses: {
      200: { description: 'The catalog.', schema: AiCatalog, contentType: CATALOG_TYPE },
      304: unchanged,
    },
    examples: [{ summary: 'The catalog', status: 200 }, unknownParameter],
  },
];

export const components = { ContentItem: ContentItemOutput, SearchPage: SearchOutput, Detail: DetailOutput };

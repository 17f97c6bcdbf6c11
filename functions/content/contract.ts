import * as v from 'valibot';
import {
  ContentInput,
  ContentItemOutput,
  DetailOutput,
  SearchInput,
  SearchOutput,
} from '../../lib/content/schemas.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { mcpHeaders, mcpResponses, RpcRequest } from '../../lib/http/mcp-contract.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { CARD_TYPE, CATALOG_TYPE } from './discovery.ts';
import { REQUESTS } from './limits.ts';

/** The tag of the pages for people. */
export const PAGES = 'Pages';

const shared = { auth: 'public', limit: REQUESTS } as const;
const rest = { ...shared, method: 'GET', tag: 'Content' } as const;
const about = { ...shared, method: 'GET', tag: 'Service', errors: [] } as const;
const page = { ...shared, method: 'GET', tag: PAGES, errors: [] } as const;
const reading: readonly ErrorCode[] = ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'];

const html = { description: 'HTML.', contentType: 'text/html; charset=utf-8' };
const unchanged = { description: 'Unchanged since the answer with the `ETag` in `If-None-Match`.' };
const language = v.optional(
  v.pipe(v.string(), v.description(`Language of the page: ${LANGUAGES.join(', ')}.`)),
);
/** Inputs of pages for people. Their links have parameters of others, such as `utm_source`, and languages of others. */
const HomeInput = v.object({ lang: language });
const ReadingInput = v.object({
  id: v.pipe(v.string(), v.description('Stable id, such as `guide:<slug>` or `service:<slug>:<language>`.')),
  lang: language,
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

/** The routes of the content service for the OpenAPI document. */
export const routes = {
  searchContent: {
    ...rest,
    path: '/api/agent/search',
    summary: 'Search public content, or list all of it',
    description:
      'Finds words and their synonyms in titles, descriptions and keywords, in one language; never in full texts. Singular and ' +
      'plural, case and accents don’t matter. Beginnings of words match, and so do long words with one typing error. The best ' +
      'entries come first, whether they have all words or not. For the next page repeat all parameters, with ' +
      '`nextCursor` as `cursor`. While guides are out of reach, other content is still found, with a warning; a search for ' +
      'guides alone is answered with 503. An unknown `language` is 404.',
    input: SearchInput,
    responses: { 200: { description: 'A page of results.', schema: SearchOutput } },
    errors: reading,
  },
  getContent: {
    ...rest,
    path: '/api/agent/content/:id',
    summary: 'Read content by its id',
    description:
      'At most 20,000 characters of Markdown; repeat with `nextCursor` as `cursor` until it is null, and join the texts. ' +
      'Guides are in English unless `language` is given. Other ids include their language; a different `language` is 404. ' +
      'Content that isn’t public is 404 too.',
    input: ContentInput,
    responses: { 200: { description: 'A page of the text.', schema: DetailOutput } },
    errors: reading,
  },
  postMcp: {
    ...shared,
    method: 'POST',
    path: '/mcp',
    tag: 'Agents',
    summary: 'Model Context Protocol, Streamable HTTP',
    description:
      'One JSON-RPC message of the Model Context Protocol, versions 2026-07-28 and 2025-11-25 (and those before it that ' +
      'the latter’s clients negotiate): https://modelcontextprotocol.io/specification. Stateless; the answer is JSON. Use ' +
      'a client of the protocol. GET and DELETE are 405.',
    headers: mcpHeaders,
    body: { schema: RpcRequest },
    responses: mcpResponses,
  },
  getHome: {
    ...page,
    path: '/',
    summary: 'A page for people: what this is, how to connect an agent, and what there is to read',
    description:
      'The language is `lang`, else the best match for `Accept-Language`, else English. Other parameters and an unknown `lang` ' +
      'are ignored.',
    input: HomeInput,
    responses: { 200: html, 304: unchanged },
  },
  getReadingPage: {
    ...page,
    path: '/content/:id',
    summary: 'A text as a page for people',
    description:
      'A guide is in the language of the page if it has it, else in English, else in the first language that it has. Other ids ' +
      'include their language. Other parameters and an unknown `lang` are ignored. Unlike other answers, 404 and 503 are pages too.',
    input: ReadingInput,
    responses: {
      200: html,
      304: unchanged,
      404: { ...html, description: 'HTML. There is no such public content.' },
      503: { ...html, description: 'HTML. Guides are out of reach.' },
    },
  },
  getLlmsText: {
    ...about,
    path: '/llms.txt',
    summary: 'A summary with links to all content, for language models',
    description: 'As https://llmstxt.org describes it, in Markdown.',
    responses: {
      200: { description: 'Markdown.', contentType: 'text/plain; charset=utf-8' },
      304: unchanged,
    },
  },
  getOpenapi: {
    ...about,
    path: '/openapi.json',
    summary: 'This document',
    responses: {
      200: { description: 'OpenAPI 3.1.', schema: v.looseObject({ openapi: v.literal('3.1.0') }) },
      304: unchanged,
    },
  },
  getServerCard: {
    ...about,
    path: '/mcp/server-card',
    summary: 'The MCP server card: where and how to connect',
    description: 'As SEP-2127 of the Model Context Protocol defines it.',
    responses: {
      200: { description: 'The card.', schema: ServerCard, contentType: CARD_TYPE },
      304: unchanged,
    },
  },
  getAiCatalog: {
    ...about,
    path: '/.well-known/ai-catalog.json',
    summary: 'The AI Catalog of this host: names the server card',
    responses: {
      200: { description: 'The catalog.', schema: AiCatalog, contentType: CATALOG_TYPE },
      304: unchanged,
    },
  },
} as const satisfies Contracts;

export const components = { ContentItem: ContentItemOutput, SearchPage: SearchOutput, Detail: DetailOutput };

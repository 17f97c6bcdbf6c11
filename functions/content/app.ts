import type { Context, MiddlewareHandler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import generated from '../../content/catalogue.generated.json' with { type: 'json' };
import type { Catalogue } from '../../lib/content/catalogue.ts';
import { getContent } from '../../lib/content/get-content.ts';
import { RETRY_SECONDS } from '../../lib/content/guides-away.ts';
import { searchContent } from '../../lib/content/search-content.ts';
import { addRoutes } from '../../lib/http/add-routes.ts';
import { createApp } from '../../lib/http/app.ts';
import { clientAddress } from '../../lib/http/client-address.ts';
import type { Door } from '../../lib/http/doors.ts';
import { toDomainError } from '../../lib/http/http-errors.ts';
import { causesOf, type Log, logToConsole } from '../../lib/http/log.ts';
import { originGate, originReadable } from '../../lib/http/origin-gate.ts';
import { rateLimit } from '../../lib/http/rate-limit.ts';
import { readBody } from '../../lib/http/read-body.ts';
import { answerRendition, type Rendition, renditionOf } from '../../lib/http/rendition.ts';
import { serveMcp } from '../../lib/mcp/serve-mcp.ts';
import { PAGES, routes } from './contract.ts';
import { Env } from './env.ts';
import { type ContentError, describeError, errorBody } from './error-body.ts';
import { renderLlmsText } from './llms.ts';
import { createContentServer } from './mcp-server.ts';
import { homePage, type Page, readingPage, setPageHeaders } from './page-answers.ts';
import { requireKnownLanguage } from './read-input.ts';
import { createResources, type Resources } from './resources.ts';

export interface ContentAppOptions {
  log?: Log;
  now?: () => number;
  catalogue?: Catalogue;
}

interface Variables {
  requestId: string;
  resources: Resources;
  body: Uint8Array;
}

/** Headers that MCP clients in browsers send and read, beyond the safelisted ones. */
const MCP_HEADERS = [
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
];
const EXPOSED_HEADERS = ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy'];

type ContentRequest = Context<{ Variables: Variables }>;

/** For everybody: limits run before all routes. An unknown language is `NOT_FOUND`. */
const readers: Door<'public', ContentRequest, Resources['content']> = {
  auth: 'public',
  guards: ({ tag }) => (tag === PAGES ? [] : [requireKnownLanguage]),
  context: (c) => c.var.resources.content,
};

/** Reads the body of every request, which enforces its limit (docs/content.md); only MCP uses the body. */
const boundBody: MiddlewareHandler<{ Variables: Variables }> = async function boundBody(c, next) {
  c.set('body', await readBody(c.req.raw));
  await next();
};

/** An answer that caches may keep. `Vary` stops caches from giving one origin's answer to another. */
function send(c: Context, rendition: Rendition, options?: { cacheControl?: string }): Response {
  c.header('Vary', 'Origin', { append: true });
  return answerRendition(c, rendition, options);
}

async function sendPage(c: Context, { html, language, status, whole }: Page): Promise<Response> {
  await setPageHeaders(c, language);
  if (status === 503) c.header('Retry-After', String(RETRY_SECONDS));
  if (status !== 200) return c.html(html, status);
  const rendition = await renditionOf(html, 'text/html; charset=utf-8');
  return send(c, rendition, whole ? {} : { cacheControl: 'no-store' });
}

/** The public content service: MCP and REST with the same verbs, without authentication. */
export function createContentApp(options: ContentAppOptions = {}) {
  const { log = logToConsole, now = Date.now, catalogue = generated } = options;
  const app = createApp({
    name: 'content',
    env: Env,
    log,
    errorBody,
    // `describe` logs failed calls. A log line for every success would cost more than its answer.
    logSuccess: false,
    resources: (env) => createResources(env, { catalogue, now, log }),
  });

  /** The error that the caller of a tool or resource sees. Hidden details are logged here, because the answer's status is 200. */
  const describe =
    (requestId: string) =>
    (thrown: unknown): ContentError => {
      const error = toDomainError(thrown);
      if (error.code === 'INTERNAL_ERROR' || error.cause !== undefined) {
        const causes = causesOf(thrown);
        log({
          level: 'error',
          function: 'content',
          event: 'call-failed',
          requestId,
          error: error.code,
          causes,
        });
      }
      return describeError(error);
    };

  app.use(
    '*',
    originReadable<{ Variables: Variables }>({
      allowed: (c) => c.var.resources.origins,
      exposed: EXPOSED_HEADERS,
    }),
    rateLimit<{ Variables: Variables }>({
      limiter: (c) => c.var.resources.limiter,
      key: (c) => c.var.resources.addressKey(clientAddress(c.req.raw.headers), 'content'),
      without: 'count-here',
    }),
    originGate<{ Variables: Variables }>({
      allowed: (c) => c.var.resources.origins,
      headers: MCP_HEADERS,
    }),
    boundBody,
  );
  addRoutes(app, routes, readers, {
    postMcp: async (_, __, c) => {
      const { content: ctx, tools } = c.var.resources;
      const requestId = c.var.requestId;
      const { body, status, headers } = await serveMcp(c.req.raw, c.get('body'), {
        createServer: () => createContentServer({ ctx, tools, describe: describe(requestId) }),
        onError: (error) =>
          log({ level: 'info', function: 'content', event: 'mcp', requestId, causes: causesOf(error) }),
      });
      return c.newResponse(body, { status: status as StatusCode, headers });
    },
    searchContent,
    getContent,
    getHome: async (ctx, { lang }, c) =>
      sendPage(
        c,
        await homePage(ctx, c.var.resources.home, { lang, accepted: c.req.header('Accept-Language') }),
      ),
    getReadingPage: async (ctx, { id, lang }, c) =>
      sendPage(
        c,
        await readingPage(ctx, c.var.resources.home, { id, lang, accepted: c.req.header('Accept-Language') }),
      ),
    getLlmsText: async (_, __, c) => {
      const { content, tools, links } = c.var.resources;
      const { text, whole } = await renderLlmsText(content, tools, links);
      const rendition = await renditionOf(text, 'text/plain; charset=utf-8');
      // Caches must not keep an answer longer than the outage that made it incomplete.
      return send(c, rendition, whole ? {} : { cacheControl: 'no-store' });
    },
    getOpenapi: async (_, __, c) => send(c, await c.var.resources.documents.openapi()),
    getServerCard: async (_, __, c) => send(c, await c.var.resources.documents.card()),
    getAiCatalog: async (_, __, c) => send(c, await c.var.resources.documents.catalog()),
  });
  return app;
}

/** What a span says of a request that came in, by the stable conventions of OpenTelemetry for HTTP. */
import type { IncomingMessage } from 'node:http';
import type { Attributes } from '@opentelemetry/api';
import type { Settings } from '../settings.ts';

const METHODS = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY'],
]);
/** A path that a URL keeps as it is: no `.` segments, nothing to encode, no host. */
const PLAIN_PATH = /^\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@-]*(?:\/|$))*$/;
/** Parameters whose values open something, also where queries are revealed. */
const REDACTED = [
  ...['sig', 'Signature', 'AWSAccessKeyId', 'X-Goog-Signature', 'X-Amz-Signature', 'X-Amz-Credential'],
  'X-Amz-Security-Token',
];

/** Attributes that the duration has too. */
export interface RequestAttributes extends Attributes {
  'http.request.method': string;
  'url.scheme': string;
}

/** `scheme`: that of the server. What `reveal` doesn't ask for isn't read. */
export function describeRequest(
  request: IncomingMessage,
  scheme: 'http' | 'https',
  { queryStrings, clientAddresses, userAgents }: Settings['reveal'],
): RequestAttributes {
  const { headers, method = 'GET', httpVersion, socket } = request;
  const normal = METHODS.has(method) ? method : normalMethod(method);
  const attributes: RequestAttributes = { 'http.request.method': normal, 'url.scheme': scheme };
  const { host, port } = serverOf(headers, scheme);
  if (host !== undefined) attributes['server.address'] = host;
  if (port !== undefined) attributes['server.port'] = Number(port);
  attributes['network.protocol.version'] = httpVersion;
  addUrl(attributes, request, queryStrings);
  if (normal !== method) attributes['http.request.method_original'] = method;
  if (userAgents && headers['user-agent'] !== undefined)
    attributes['user_agent.original'] = headers['user-agent'];
  if (clientAddresses) {
    const client = clientOf(headers) ?? socket.remoteAddress;
    if (client !== undefined) attributes['client.address'] = client;
    if (socket.remoteAddress !== undefined) attributes['network.peer.address'] = socket.remoteAddress;
    if (socket.remotePort !== undefined) attributes['network.peer.port'] = socket.remotePort;
  }
  return attributes;
}

function normalMethod(method: string): string {
  const upper = method.toUpperCase();
  return METHODS.has(upper) ? upper : '_OTHER';
}

function addUrl(attributes: Attributes, { url = '/', headers }: IncomingMessage, withQuery: boolean): void {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  const isPlain = PLAIN_PATH.test(path);
  if (isPlain) attributes['url.path'] = path;
  if (isPlain && (end === -1 || !withQuery)) return;
  const parsed = URL.parse(url, `http://${headers.host || 'localhost'}`);
  if (parsed === null) return;
  attributes['url.path'] = parsed.pathname;
  if (!withQuery || parsed.search === '') return;
  const query = parsed.searchParams;
  for (const name of REDACTED) if (query.has(name)) query.set(name, 'REDACTED');
  attributes['url.query'] = query.toString();
}

interface Server {
  host?: string | undefined;
  port?: string | undefined;
}

/** The last one: most requests name the same host. */
let known: { header: string; scheme: string; server: Server } | undefined;

/** The server that the client asked for: behind proxies, the one that the first of them was asked for. */
function serverOf(headers: IncomingMessage['headers'], scheme: string): Server {
  const { forwarded, host } = headers;
  const named = forwarded === undefined ? undefined : forwardedBy(forwarded, 'host');
  if (named?.host) return parseHost(named.host, named.proto);
  const proxied = firstOf(headers['x-forwarded-host']);
  if (proxied) return parseHost(proxied, firstOf(headers['x-forwarded-proto']));
  if (!host) return {};
  if (known?.header !== host || known.scheme !== scheme)
    known = { header: host, scheme, server: parseHost(host, scheme) };
  return known.server;
}

/** `host:port`, with the scheme's own port if none is given. */
function parseHost(header: string, scheme: string | undefined): Server {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(header) ?? [];
  if (host === undefined) return { host: header };
  if (port !== undefined) return { host, port };
  return { host, port: scheme === 'http' ? '80' : scheme === 'https' ? '443' : undefined };
}

function clientOf(headers: IncomingMessage['headers']): string | undefined {
  const { forwarded } = headers;
  const named = forwarded === undefined ? undefined : forwardedBy(forwarded, 'for');
  const address = named?.for ?? firstOf(headers['x-forwarded-for'])?.split(',')[0]?.trim();
  if (!address) return undefined;
  const hostname = URL.parse(`http://${address}`)?.hostname;
  return hostname === undefined ? address : hostname.replace(/^\[(.*)\]$/, '$1');
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

/** The first element of `Forwarded` (RFC 7239) that has the parameter, with its parameters in lower case. */
function forwardedBy(header: string, parameter: string): Record<string, string> | undefined {
  for (const [element] of header.matchAll(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g)) {
    const pairs = [...element.matchAll(/(?:^|;)\s*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"]*))/g)].map(
      ([, name = '', quoted, plain = '']) =>
        [name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain.trim()] as const,
    );
    const found = Object.fromEntries(pairs);
    if (found[parameter]) return found;
  }
  return undefined;
}

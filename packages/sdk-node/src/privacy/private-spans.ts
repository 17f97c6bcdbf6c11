import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Revealed, Settings } from '../settings.ts';
import { withoutMessage } from './describe-error.ts';

/** Attributes that instrumentation sets although nobody asked for them, by what reveals them. */
const HIDDEN: Record<Exclude<Revealed, 'errorMessages'>, readonly string[]> = {
  queryStrings: ['url.query'],
  clientAddresses: ['client.address', 'client.port', 'network.peer.address', 'network.peer.port'],
  userAgents: ['user_agent.original', 'user_agent.synthetic.type'],
};

/** The attributes that `reveal` doesn't ask for. */
const hiddenNames = (reveal: Record<keyof typeof HIDDEN, boolean>): readonly string[] =>
  Object.entries(HIDDEN).flatMap(([what, names]) => (reveal[what as keyof typeof reveal] ? [] : names));

/** Instrumentation that writes the message of a request's error into the span. */
const TELLS_MESSAGES = new Set([
  'node:http',
  '@opentelemetry/instrumentation-http',
  '@opentelemetry/instrumentation-undici',
]);

/** Instrumentation of undici says it also where the method wasn't changed. */
const METHOD_ORIGINAL = 'http.request.method_original';

/** Takes out of spans what says who a person is, just before they end. What the application itself sets under other names stays. */
export class PrivateSpans implements SpanProcessor {
  readonly #hidden: readonly string[];
  readonly #hiddenOfServers: readonly string[];
  readonly #queryStrings: boolean;
  readonly #errorMessages: boolean;

  constructor({ reveal: { queryStrings, clientAddresses, userAgents, errorMessages } }: Settings) {
    this.#queryStrings = queryStrings;
    this.#errorMessages = errorMessages;
    this.#hidden = hiddenNames({ queryStrings, userAgents, clientAddresses: true });
    // Of an outgoing request the peer is a server.
    this.#hiddenOfServers = hiddenNames({ queryStrings, userAgents, clientAddresses });
  }

  onEnding(span: Span): void {
    if (
      !this.#errorMessages &&
      span.status.code === SpanStatusCode.ERROR &&
      TELLS_MESSAGES.has(span.instrumentationScope.name)
    )
      hideMessages(span);
    const hidden = span.kind === SpanKind.SERVER ? this.#hiddenOfServers : this.#hidden;
    const { attributes } = span;
    if (!this.#hasPrivate(attributes, hidden)) return;
    // A copy: objects out of which something was deleted are slow to read.
    const kept: Attributes = {};
    for (const [key, value] of Object.entries(attributes))
      if (!hidden.includes(key) && !(key === METHOD_ORIGINAL && value === attributes['http.request.method']))
        kept[key] = value;
    const full = kept['url.full'];
    if (!this.#queryStrings && typeof full === 'string') kept['url.full'] = withoutQuery(full);
    (span as { attributes: Attributes }).attributes = kept;
  }

  #hasPrivate(attributes: Attributes, hidden: readonly string[]): boolean {
    if (attributes['url.full'] !== undefined || attributes[METHOD_ORIGINAL] !== undefined) return true;
    for (const name of hidden) if (attributes[name] !== undefined) return true;
    return false;
  }

  onStart(): void {}
  onEnd(_span: ReadableSpan): void {}
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

/** The type of the error and its stack stay. */
function hideMessages(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  for (const event of span.events) {
    const { 'exception.message': _, 'exception.stacktrace': stack, ...rest } = event.attributes ?? {};
    const type = String(rest['exception.type'] ?? 'Error');
    event.attributes = {
      ...rest,
      ...(typeof stack === 'string' && { 'exception.stacktrace': withoutMessage(type, stack) }),
    };
  }
}

/** Without query, fragment, user and password. */
const withoutQuery = (url: string): string =>
  url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');

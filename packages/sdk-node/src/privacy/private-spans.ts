import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Settings } from '../settings.ts';

/** Attributes that instrumentation sets although nobody asked for them, by what reveals them. */
const HIDDEN: Record<keyof Settings['reveal'], readonly string[]> = {
  queryStrings: ['url.query'],
  clientAddresses: ['client.address', 'client.port', 'network.peer.address', 'network.peer.port'],
  userAgents: ['user_agent.original', 'user_agent.synthetic.type'],
};

/** Takes out of spans what says who a person is, just before they end. What the application itself sets under other names stays. */
export class PrivateSpans implements SpanProcessor {
  readonly #reveal: Settings['reveal'];

  constructor({ reveal }: Settings) {
    this.#reveal = reveal;
  }

  onEnding({ attributes, kind }: Span): void {
    const { queryStrings, clientAddresses, userAgents } = this.#reveal;
    if (!queryStrings) {
      remove(attributes, HIDDEN.queryStrings);
      const full = attributes['url.full'];
      if (typeof full === 'string') attributes['url.full'] = withoutQuery(full);
    }
    // Of an outgoing request the peer is a server.
    if (!clientAddresses && kind === SpanKind.SERVER) remove(attributes, HIDDEN.clientAddresses);
    if (!userAgents) remove(attributes, HIDDEN.userAgents);
    // Instrumentation of undici says it also where the method wasn't changed.
    if (attributes['http.request.method_original'] === attributes['http.request.method'])
      remove(attributes, ['http.request.method_original']);
  }

  onStart(): void {}
  onEnd(_span: ReadableSpan): void {}
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

function remove(attributes: Span['attributes'], keys: readonly string[]): void {
  for (const key of keys) delete attributes[key];
}

/** Without query, fragment, user and password. */
const withoutQuery = (url: string): string =>
  url.replace(/[?#].*$/s, '').replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');

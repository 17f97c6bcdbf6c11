/** Opens the port, or the socket, over a service. */
import type { IncomingMessage } from 'node:http';
import { clientAddressOf } from './edge/client-address.ts';
import { type Client, type Listening, listen } from './edge/listen.ts';
import type { OriginOf } from './edge/origins.ts';
import { watchProxies } from './edge/watch-proxies.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

export async function serve(
  { LISTEN, TRUSTED_PROXIES }: Pick<Settings, 'LISTEN' | 'TRUSTED_PROXIES'>,
  service: Service,
  originOf: OriginOf,
  log: (line: string) => void,
): Promise<Listening> {
  const watch = watchProxies(TRUSTED_PROXIES, log);
  const clientOf = (incoming: IncomingMessage): Client => {
    watch(incoming);
    const address = clientAddressOf(incoming, TRUSTED_PROXIES);
    return { address, origin: originOf(address) };
  };
  return listen({
    at: LISTEN,
    clientOf,
    answer: service.answer,
    onError: (error) => log(`uncaught: ${error instanceof Error ? error.stack : error}`),
  });
}

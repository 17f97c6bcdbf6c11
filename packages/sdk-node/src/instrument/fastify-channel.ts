/** Routes of Fastify 5, which tells them on a channel. */
import { tracingChannel } from 'node:diagnostics_channel';
import { setRoute } from './http.ts';

interface HandlerEvent {
  route?: { url?: unknown };
}

/** Returns what ends it. */
export function watchFastify(): () => void {
  const channel = tracingChannel('fastify.request.handler');
  const onStart = (event: unknown): void => {
    const { route } = event as HandlerEvent;
    if (typeof route?.url === 'string') setRoute(route.url);
  };
  channel.start.subscribe(onStart);
  return () => channel.start.unsubscribe(onStart);
}

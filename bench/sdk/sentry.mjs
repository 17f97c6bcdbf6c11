/** Sentry's SDK with all that it instruments by itself. It sends to nobody. */
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: 'http://key@127.0.0.1:9/1', tracesSampleRate: 1 });

/** A program that logs with pino and its OpenTelemetry transport. */
import { pino } from 'pino';

const transport = pino.transport({ target: 'pino-opentelemetry-transport' });
const logger = pino(transport);
logger.warn({ orderId: 7 }, 'stock is low');
logger.error(new Error('no such order'), 'not shipped');
transport.end();

import { asJsonSchema } from '../../lib/json-schema.ts';
import { WEBHOOK_EVENTS } from '../../lib/messages/event-types.ts';
import { EVENTS } from '../../lib/messages/events.ts';

const TIME = '2026-11-21T10:05:03.000Z';

/** Each event with the schema of a webhook's whole body, and an example. */
export const webhookEvents = () =>
  WEBHOOK_EVENTS.map((type) => {
    const { description, data, example } = EVENTS[type];
    return {
      type,
      description,
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        required: ['type', 'timestamp', 'data'],
        properties: {
          type: { const: type },
          timestamp: { type: 'string', format: 'date-time', description: 'When it was decided.' },
          data: asJsonSchema(data),
        },
      },
      example: { type, timestamp: TIME, data: example },
    };
  });

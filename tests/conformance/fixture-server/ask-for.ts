import { inputRequired } from '@modelcontextprotocol/server';

/** Asks the person for a text. */
export const askFor = (field: string, message: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  });

/** Asks the client's model. */
export const askModel = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

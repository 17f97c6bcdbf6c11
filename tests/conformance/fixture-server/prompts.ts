import {
  acceptedContent,
  inputRequired,
  type McpServer,
  type PromptMessage,
} from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { askFor } from './ask-for.ts';
import { PNG } from './media-samples.ts';

const say = (text: string): PromptMessage => ({ role: 'user', content: { type: 'text', text } });

const TwoArguments = v.strictObject({ arg1: v.string(), arg2: v.string() });
const OneUri = v.strictObject({ resourceUri: v.string() });

export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Takes nothing.' }, () => ({
    messages: [say('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Repeats its arguments.', argsSchema: toStandardJsonSchema(TwoArguments) },
    ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource.', argsSchema: toStandardJsonSchema(OneUri) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [
          { role: 'user', content: { type: 'resource', resource } },
          say('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has an image.' }, () => ({
    messages: [{ role: 'user', content: { type: 'image', ...PNG } }, say('Please analyze the image above.')],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_context');
    if (answer === undefined) {
      return inputRequired({
        inputRequests: { user_context: askFor('context', 'What context should the prompt use?') },
      });
    }
    return { messages: [say(`In the context of ${String(answer.context)}.`)] };
  });
}

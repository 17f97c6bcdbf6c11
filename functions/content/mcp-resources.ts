/** The resources (docs/content.md#resources). Each returns the same JSON as the tool for it. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { completeGuideId } from '../../lib/content/complete-guide-id.ts';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { getContent } from '../../lib/content/get-content.ts';
import { listServices } from '../../lib/content/list-catalogue-services.ts';
import { GuideInput, LanguageInput } from '../../lib/content/schemas.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import type { ContentError } from './error-body.ts';
import { readInput } from './read-input.ts';

const MIME_TYPE = 'application/json';

const completeLanguage = (start: string): string[] =>
  LANGUAGES.filter((language) => language.startsWith(start));

/** Registers the three templates. Business facts and services are also listed, one resource per language. */
export function addResources(
  server: McpServer,
  ctx: ContentContext,
  describe: (error: unknown) => ContentError,
): void {
  const read = async (uri: URL, answer: () => object | Promise<object>): Promise<ReadResourceResult> => {
    try {
      return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text: JSON.stringify(await answer()) }] };
    } catch (error) {
      throw asProtocolError(describe(error), uri);
    }
  };

  server.registerResource(
    'business',
    listed('vendor://business/{language}', (language) => `Business facts (${language})`),
    {
      title: 'Business facts',
      description: `Who ${ctx.catalogue.publisher.name} is: people, offices, hours, contact, terms.`,
      mimeType: MIME_TYPE,
    },
    (uri, { language }) =>
      read(uri, () => {
        const input = readInput(LanguageInput, { language });
        return getContent(ctx, { id: `business:facts:${input.language}` });
      }),
  );
  server.registerResource(
    'services',
    listed('vendor://services/{language}', (language) => `Services (${language})`),
    { title: 'Services', description: 'All services in a language.', mimeType: MIME_TYPE },
    (uri, { language }) => read(uri, () => listServices(ctx, readInput(LanguageInput, { language }))),
  );
  server.registerResource(
    'guides',
    new ResourceTemplate('vendor://guides/{language}/{id}', {
      list: undefined,
      complete: {
        language: completeLanguage,
        id: (start, context) => completeGuideId(ctx, start, context?.arguments?.language),
      },
    }),
    {
      title: 'Guide',
      description:
        'The first page of a guide, `id` percent-encoded (`guide%3A<slug>`). Read on with `get_guide`, the same id and language, and `nextCursor`.',
      mimeType: MIME_TYPE,
    },
    (uri, { language, id }) =>
      read(uri, () => getContent(ctx, readInput(GuideInput, { language, id: decode(id) }))),
  );
}

/** A template with a parameter for the language; lists one resource per language. */
function listed(template: string, nameOf: (language: string) => string): ResourceTemplate {
  return new ResourceTemplate(template, {
    list: () => ({
      resources: LANGUAGES.map((language) => ({
        uri: template.replace('{language}', language),
        name: nameOf(language),
        title: nameOf(language),
      })),
    }),
    complete: { language: completeLanguage },
  });
}

function decode(id: unknown): unknown {
  try {
    return decodeURIComponent(String(id));
  } catch {
    return undefined;
  }
}

/** The protocol's own errors treat a malformed address like an unknown one, so this does too. */
function asProtocolError({ code, message }: ContentError, uri: URL): ProtocolError {
  return code === 'not_found' || code === 'invalid_input'
    ? new ResourceNotFoundError(uri.href)
    : new ProtocolError(ProtocolErrorCode.InternalError, message, { code });
}

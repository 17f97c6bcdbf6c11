/** The seven tools (docs/content.md#tools). */
import type * as v from 'valibot';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { getContent } from '../../lib/content/get-content.ts';
import { listServices } from '../../lib/content/list-services.ts';
import {
  CaseStudyInput,
  ContentInput,
  DetailOutput,
  GuideInput,
  LanguageInput,
  SearchInput,
  SearchOutput,
  ServiceInput,
  ServicesOutput,
} from '../../lib/content/schemas.ts';
import { searchContent } from '../../lib/content/search-content.ts';
import { asJsonSchema } from '../../lib/json-schema.ts';
import type { Tool } from '../../lib/mcp/tool.ts';
import { readInput } from './read-input.ts';

type Schema = v.GenericSchema;

interface Definition<Input extends Schema, Output extends Schema> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  run(
    ctx: ContentContext,
    input: v.InferOutput<Input>,
  ): v.InferOutput<Output> | Promise<v.InferOutput<Output>>;
}

/** All tools only read, and only this service's content. */
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

function tool<Input extends Schema, Output extends v.GenericSchema<object>>(
  definition: Definition<Input, Output>,
): Tool<ContentContext> {
  const { input, output, run, ...words } = definition;
  return {
    ...words,
    annotations,
    inputSchema: asJsonSchema(input),
    outputSchema: asJsonSchema(output),
    call: (ctx, args) => run(ctx, readInput(input, args)),
  };
}

const CONTINUE = 'If `nextCursor` is not null, read on with `get_content`, this `id` and that cursor.';

/** Made once per isolate. */
export const createTools = (): Tool<ContentContext>[] => [
  tool({
    name: 'search_content',
    title: 'Search content',
    description:
      'Which guides, services, case studies, products or business facts are about something? Finds words in titles, descriptions and keywords (not in full texts), in one language; case and accents don’t matter, beginnings of words and one typing error in a long word do. Without `query` it lists everything. Read a result with `get_content`. For the next page repeat everything with `nextCursor` as `cursor`.',
    input: SearchInput,
    output: SearchOutput,
    run: searchContent,
  }),
  tool({
    name: 'get_content',
    title: 'Read content',
    description:
      'What does this content say, in full? Takes any `id` from a search or a list. Returns up to 20,000 characters of Markdown; repeat with `nextCursor` as `cursor` until it is null, and join the texts. Guides are in English unless `language` says otherwise; other ids name their own language.',
    input: ContentInput,
    output: DetailOutput,
    run: getContent,
  }),
  tool({
    name: 'get_guide',
    title: 'Read a guide',
    description:
      'What does this guide say, in full? Takes a `guide:` id from a search with type `guide`. English unless `language` says otherwise; not every guide is in every language. Repeat with `nextCursor` as `cursor` until it is null.',
    input: GuideInput,
    output: DetailOutput,
    run: getContent,
  }),
  tool({
    name: 'list_services',
    title: 'List services',
    description: 'What does the company offer? All services in one language. Read one with `get_service`.',
    input: LanguageInput,
    output: ServicesOutput,
    run: listServices,
  }),
  tool({
    name: 'get_service',
    title: 'Read a service',
    description: `What does this service include, cost and take? ${CONTINUE}`,
    input: ServiceInput,
    output: DetailOutput,
    run: (ctx, { slug, language }) => getContent(ctx, { id: `service:${slug}:${language}` }),
  }),
  tool({
    name: 'get_case_study',
    title: 'Read a case study',
    description: `What was done for this client, and what came of it? Find slugs by a search with type \`case-study\`. ${CONTINUE}`,
    input: CaseStudyInput,
    output: DetailOutput,
    run: (ctx, { slug, language }) => getContent(ctx, { id: `case-study:${slug}:${language}` }),
  }),
  tool({
    name: 'get_business_info',
    title: 'Read business facts',
    description: `Who is the company: people, offices, hours, contact, terms? ${CONTINUE}`,
    input: LanguageInput,
    output: DetailOutput,
    run: (ctx, { language }) => getContent(ctx, { id: `business:facts:${language}` }),
  }),
];

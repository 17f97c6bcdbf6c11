/** The seven tools (docs/content.md#tools). */
import type * as v from 'valibot';
import type { ContentContext } from '../../lib/content/content-context.ts';
import { getContent } from '../../lib/content/get-content.ts';
import { listServices } from '../../lib/content/list-catalogue-services.ts';
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
import { didYouMean, suggestIds } from '../../lib/content/suggest-ids.ts';
import { DomainError } from '../../lib/errors.ts';
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
    call: async (ctx, args) => run(ctx, await readOrSuggest(ctx, input, args)),
  };
}

/** Reads a tool's input. If its id or slug breaks a rule, for example because it is a title, the error names the right id. */
async function readOrSuggest<Input extends Schema>(
  ctx: ContentContext,
  input: Input,
  args: unknown,
): Promise<v.InferOutput<Input>> {
  try {
    return readInput(input, args);
  } catch (error) {
    const path = (error as DomainError).details?.find(({ path }) => path === 'id' || path === 'slug')?.path;
    const given = path === undefined ? undefined : (args as Record<string, unknown>)[path];
    if (!(error instanceof DomainError) || typeof given !== 'string') throw error;
    const hint = didYouMean(await suggestIds(ctx, given.slice(0, MAX_TITLE_LENGTH)));
    if (hint === '') throw error;
    const details = (error.details ?? []).map((detail) =>
      detail.path === path ? { path, message: `${detail.message}.${hint}` } : detail,
    );
    throw new DomainError(error.code, error.message, { details });
  }
}

/** Longer texts aren't titles. */
const MAX_TITLE_LENGTH = 200;

const CONTINUE =
  'If `nextCursor` is not null, get the rest with `get_content`: the same `id`, and `nextCursor` as `cursor`.';

/** Made once per isolate. */
export const createTools = (): Tool<ContentContext>[] => [
  tool({
    name: 'search_content',
    title: 'Search content',
    description:
      'Which guides, services, case studies, products or business facts are about something? Finds words and their synonyms in titles, descriptions and keywords (not in full texts), in one language. The query may be a plain question. Singular and plural, case and accents don’t matter. Beginnings of words match, and so do long words with one typing error. Without `query` it lists everything. Read a result with `get_content`. For the next page repeat everything with `nextCursor` as `cursor`.',
    input: SearchInput,
    output: SearchOutput,
    run: searchContent,
  }),
  tool({
    name: 'get_content',
    title: 'Read content',
    description:
      'What is the full text of this content? Takes any `id` from a search or a list. Returns up to 20,000 characters of Markdown. Repeat with `nextCursor` as `cursor` until it is null, and join the texts. Guides are in English unless `language` names another language; other ids contain their language.',
    input: ContentInput,
    output: DetailOutput,
    run: getContent,
  }),
  tool({
    name: 'get_guide',
    title: 'Read a guide',
    description:
      'What is the full text of this guide? Takes a `guide:` id from a search with type `guide`. The language is English unless `language` names another one; not every guide is in every language. Repeat with `nextCursor` as `cursor` until it is null.',
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
    description: `What does this service include, what does it cost, and how long does it take? ${CONTINUE}`,
    input: ServiceInput,
    output: DetailOutput,
    run: (ctx, { slug, language }) => getContent(ctx, { id: `service:${slug}:${language}` }),
  }),
  tool({
    name: 'get_case_study',
    title: 'Read a case study',
    description: `What was done for this client, and with what result? Find slugs by a search with type \`case-study\`. ${CONTINUE}`,
    input: CaseStudyInput,
    output: DetailOutput,
    run: (ctx, { slug, language }) => getContent(ctx, { id: `case-study:${slug}:${language}` }),
  }),
  tool({
    name: 'get_business_info',
    title: 'Read business facts',
    description: `Who is the company? Its people, offices, hours, contact and terms. ${CONTINUE}`,
    input: LanguageInput,
    output: DetailOutput,
    run: (ctx, { language }) => getContent(ctx, { id: `business:facts:${language}` }),
  }),
];

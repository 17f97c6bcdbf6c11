/** Prompts that people start in their client, in the languages of the service (docs/mcp.md#resources-and-prompts). */
import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import { asJsonSchema } from '../../lib/json-schema.ts';
import { DEFAULT_LANGUAGE, findLanguage, LANGUAGES, type Language } from '../../lib/languages.ts';
import { tidyText } from '../../lib/mcp/stored-text.ts';
import { asGiven } from '../../lib/mcp/tool.ts';
import { type AgentContext, hasScope, type Scope } from './agent-context.ts';
import { type PromptWords, promptWords } from './prompt-words.ts';

const MAX_NAME_LENGTH = 253;

const Name = (description: string) =>
  v.optional(v.pipe(v.string(), v.description(description), v.minLength(1), v.maxLength(MAX_NAME_LENGTH)));
const LanguageTag = v.optional(
  v.pipe(v.string(), v.description(`The answer’s language: ${LANGUAGES.join(', ')}`), v.maxLength(35)),
);

interface Prompt {
  name: keyof PromptWords;
  title: string;
  description: string;
  scope: Scope;
  entries: v.ObjectEntries;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'review_week',
    title: 'Weekly review of a website',
    description: 'What happened last week, what changed and why, and what to look at.',
    scope: 'analytics:read',
    entries: { site: Name('Domain, name or id'), language: LanguageTag },
  },
  {
    name: 'investigate_incident',
    title: 'Incident on a service',
    description: 'What fails, since when, for whom, and the most probable cause with its evidence.',
    scope: 'telemetry:read',
    entries: { service: Name('Its name'), environment: Name('Name or id'), language: LanguageTag },
  },
];

/** The prompts whose tools the token may call. */
export function addPrompts(server: McpServer, ctx: AgentContext): void {
  for (const { name, scope, entries, ...about } of PROMPTS) {
    if (!hasScope(ctx, scope)) continue;
    const Arguments = v.strictObject(entries);
    const argsSchema = asGiven(asJsonSchema(Arguments));
    server.registerPrompt(name, { ...about, argsSchema }, (args) => {
      const { output, success } = v.safeParse(Arguments, args ?? {});
      if (!success) throw badArguments(Object.keys(entries));
      const { language: tag, ...named } = output as Record<string, string | undefined>;
      const language: Language | undefined = tag === undefined ? DEFAULT_LANGUAGE : findLanguage(tag);
      if (language === undefined) throw badArguments(Object.keys(entries));
      const names = Object.fromEntries(
        // Quotes would end the value in the text.
        Object.entries(named).map(([key, value]) => [key, value && JSON.stringify(tidyText(value))]),
      );
      const text = promptWords[language][name](names);
      return { description: about.title, messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
  }
}

const badArguments = (names: readonly string[]): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The arguments are ${names.join(', ')}: texts, each optional; \`language\` is one of ${LANGUAGES.join(', ')}.`,
  );

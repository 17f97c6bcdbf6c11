/** All tools, and which of them a token may call. */
import type { AgentContext } from './agent-context.ts';
import type { AgentTool } from './agent-tool.ts';
import { siteTools } from './site-tools.ts';
import { telemetryTools } from './telemetry-tools.ts';
import { controlTools } from './tools/control-tools.ts';

const TOOLS: readonly AgentTool[] = [...siteTools, ...telemetryTools, ...controlTools];

type Asker = Pick<AgentContext, 'actor'>;

/** Whether the token's scopes open a tool. Other tools aren't listed. */
export const maySee = ({ actor }: Asker, { scopes }: AgentTool): boolean =>
  scopes.length === 0 || scopes.some((scope) => actor.scopes.includes(scope));

export const toolsOf = (asker: Asker): AgentTool[] => TOOLS.filter((tool) => maySee(asker, tool));

export const toolNamed = (name: unknown): AgentTool | undefined => TOOLS.find((tool) => tool.name === name);

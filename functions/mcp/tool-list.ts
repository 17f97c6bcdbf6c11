/** All tools, and which of them a token may call. */
import type { AgentContext } from './agent-context.ts';
import type { AgentTool } from './agent-tool.ts';
import { annotate } from './tools/annotate.ts';
import { breakDownBackend } from './tools/break-down-backend.ts';
import { breakDownVisits } from './tools/break-down-visits.ts';
import { checkBackend } from './tools/check-backend.ts';
import { compareVisits } from './tools/compare-visits.ts';
import { findLogsTool } from './tools/find-logs-tool.ts';
import { findTracesTool } from './tools/find-traces-tool.ts';
import { getAccess } from './tools/get-access.ts';
import { getLive } from './tools/get-live.ts';
import { getTraceTool } from './tools/get-trace-tool.ts';
import { listMetricsTool } from './tools/list-metrics-tool.ts';
import { queryMetric } from './tools/query-metric.ts';
import { ratePages } from './tools/rate-pages.ts';
import { removeDefinition } from './tools/remove-definition.ts';
import { reportBehaviour } from './tools/report-behaviour.ts';
import { reportConversions } from './tools/report-conversions.ts';
import { reportEvents } from './tools/report-events.ts';
import { reportOutcomes } from './tools/report-outcomes.ts';
import { saveFunnel } from './tools/save-funnel.ts';
import { saveGoal } from './tools/save-goal.ts';
import { setOrigin } from './tools/set-origin.ts';
import { setRetention } from './tools/set-retention.ts';
import { showView } from './tools/show-view.ts';
import { summarizeServiceTool } from './tools/summarize-service-tool.ts';
import { summarizeSite } from './tools/summarize-site.ts';

export const TOOLS: readonly AgentTool[] = [
  getAccess,
  ...[summarizeSite, breakDownVisits, compareVisits, reportConversions],
  ...[reportEvents, reportBehaviour, ratePages, getLive],
  ...[checkBackend, breakDownBackend, summarizeServiceTool, findTracesTool, getTraceTool, findLogsTool],
  ...[listMetricsTool, queryMetric, reportOutcomes],
  ...[annotate, saveGoal, saveFunnel, removeDefinition, setRetention, setOrigin],
  showView,
];

type Asker = Pick<AgentContext, 'actor'>;

/** Whether the token's scopes open a tool. Other tools aren't listed. */
export const maySee = ({ actor }: Asker, { scopes }: AgentTool): boolean =>
  scopes.length === 0 || scopes.some((scope) => actor.scopes.includes(scope));

export const toolsOf = (asker: Asker): AgentTool[] => TOOLS.filter((tool) => maySee(asker, tool));

export const toolNamed = (name: unknown): AgentTool | undefined => TOOLS.find((tool) => tool.name === name);

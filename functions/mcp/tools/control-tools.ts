/** Tools that change something, for tokens with the scope `control:write`. */
import type { AgentTool } from '../agent-tool.ts';
import { annotate } from './annotate.ts';
import { removeDefinition } from './remove-definition.ts';
import { saveFunnel } from './save-funnel.ts';
import { saveGoal } from './save-goal.ts';
import { setOrigin } from './set-origin.ts';
import { setRetention } from './set-retention.ts';

export const controlTools: readonly AgentTool[] = [
  ...[annotate, saveGoal, saveFunnel, removeDefinition],
  ...[setRetention, setOrigin],
];

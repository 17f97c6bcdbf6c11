import type { Funnel, NewFunnel } from './schemas.ts';
import { type StoredTarget, storeTarget, toTarget } from './target.ts';

export interface FunnelRow {
  id: string;
  name: string;
  steps: StoredTarget[];
  created_at: Date;
}

export function toFunnel({ id, name, steps, created_at: createdAt }: FunnelRow): Funnel {
  return { id, name, steps: steps.map(toTarget), createdAt: createdAt.toISOString() };
}

/** As the column `steps` holds them. */
export const storeSteps = (steps: NewFunnel['steps']): string => JSON.stringify(steps.map(storeTarget));

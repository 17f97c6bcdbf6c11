import type { Goal } from './schemas.ts';
import { type StoredTarget, toTarget } from './target.ts';

export interface GoalRow extends StoredTarget {
  id: string;
  name: string;
  created_at: Date;
}

export function toGoal(row: GoalRow): Goal {
  const { id, name, created_at: createdAt } = row;
  return { id, name, ...toTarget(row), createdAt: createdAt.toISOString() };
}

import * as v from 'valibot';

/** What a member may do in a project: see (viewer), change (admin), give and take away (owner). */
const ROLES = ['owner', 'admin', 'viewer'] as const;
export const Role = v.picklist(ROLES);
export type Role = v.InferOutput<typeof Role>;

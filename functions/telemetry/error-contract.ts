import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  ChangedError,
  ChangeError,
  ErrorDetails,
  ErrorGroup,
  ErrorMeta,
  ErrorsMeta,
  ListErrors,
  OneError,
} from '../../lib/telemetry/errors/error-schemas.ts';
import { ENVIRONMENT } from './control-contract.ts';
import { QUERIES } from './limits.ts';

const query = { tag: 'Errors', auth: 'member', limit: QUERIES, method: 'GET' } as const;

/** Groups of errors. API tokens ask for them too. */
export const errorRoutes = {
  listErrors: {
    ...query,
    path: `${ENVIRONMENT}/errors`,
    summary: 'Errors in groups: what fails, since when, how often',
    description:
      'Failed spans, exceptions, and log records from severity `ERROR` on, by service, type and where in the code they began. Groups that ' +
      'occurred in the range, by default in the last 24 hours. The range is widened to whole hours, and if it has over 7 days, to whole UTC ' +
      'days. Errors are added to their groups each minute: see `meta.freshness.foldedAt`.',
    input: ListErrors,
    responses: {
      200: { description: 'The groups.', schema: v.object({ data: v.array(ErrorGroup), meta: ErrorsMeta }) },
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  getError: {
    ...query,
    path: `${ENVIRONMENT}/errors/:errorId`,
    summary: 'A group of errors: releases, examples, and the pages and visits that led there',
    description:
      'Counts are of the range, by default of the last 7 days. Pages and visits are those that led to the newest 20 examples: sites that ' +
      'the environment’s origins are tied to and that you may read.',
    input: OneError,
    responses: {
      200: { description: 'The group.', schema: v.object({ data: ErrorDetails, meta: ErrorMeta }) },
    },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

/** What members change. */
export const errorControlRoutes = {
  changeError: {
    ...{ tag: 'Errors', auth: 'session', limit: null, errors: ['NOT_FOUND'] },
    audit: 'error.change',
    method: 'PATCH',
    path: `${ENVIRONMENT}/errors/:errorId`,
    input: ChangeError,
    summary: 'Resolve a group of errors, ignore it, or open it again',
    description:
      'A resolved group becomes `returned` by an error that happened after it was resolved, in whichever release. An ignored one stays ' +
      'ignored. Owners and admins only. The audit log records the change.',
    responses: { 200: { description: 'The changed group.', schema: v.object({ data: ChangedError }) } },
  },
} as const satisfies Contracts;

export const errorComponents = { ErrorGroup, ErrorDetails };

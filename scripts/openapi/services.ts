/** The services. Each has its own OpenAPI document. */
import type * as v from 'valibot';
import { VERSION } from '../../functions/content/about.ts';
import { ErrorBody as ContentErrorBody, describeError } from '../../functions/content/error-body.ts';
import { DomainError, type ErrorCode } from '../../lib/errors.ts';
import type { RouteContract } from '../../lib/http/contract.ts';
import { ErrorBody } from '../../lib/http/error-envelope.ts';

export interface Service {
  name: string;
  /** The path of its document, relative to the repository's root. */
  file: string;
  title: string;
  description: string;
  /** The version of the interface. Undefined: the repository's version. */
  version?: string;
  /** Whether a function belongs to the service. */
  owns: (fn: string) => boolean;
  /** The schema of every error's body. */
  errorBody: v.GenericSchema;
  /** Errors that every route may answer. */
  always: readonly ErrorCode[];
  /** The codes that callers of a route see for an error. */
  codesOf: (code: ErrorCode, route: RouteContract) => readonly string[];
  /** The name of a limit, for examples of headers. */
  limit: string;
}

const CONTENT_FUNCTION = 'content';

export const analytics: Service = {
  name: 'analytics',
  file: 'functions/docs/openapi.generated.json',
  title: 'Vendor',
  description:
    'Web analytics with four privacy tiers. Times are RFC 3339 in UTC; unknown fields are refused.',
  owns: (fn) => fn !== CONTENT_FUNCTION,
  errorBody: ErrorBody,
  always: ['VALIDATION_ERROR', 'INTERNAL_ERROR', 'UNAVAILABLE'],
  codesOf: (code) => [code],
  limit: 'sites',
};

export const content: Service = {
  name: 'content',
  file: 'functions/content/openapi.generated.json',
  title: 'Vendor content',
  description:
    'A company’s public guides, services, case studies, products and business facts, in English, Spanish and European ' +
    'Portuguese. Read-only, without authentication; at most 60 requests a minute by client address. The same content is ' +
    'served to agents over the Model Context Protocol at `/mcp`. Every GET also answers HEAD. Times are RFC 3339 in UTC; ' +
    'unknown parameters are refused.',
  version: VERSION,
  owns: (fn) => fn === CONTENT_FUNCTION,
  errorBody: ContentErrorBody,
  always: ['VALIDATION_ERROR', 'FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'INTERNAL_ERROR'],
  codesOf: (code, route) => [
    describeError(new DomainError(code, '')).code,
    ...(code === 'VALIDATION_ERROR' && takesCursor(route) ? ['invalid_cursor'] : []),
  ],
  limit: 'content',
};

export const services: readonly Service[] = [analytics, content];

const takesCursor = ({ input }: RouteContract): boolean => input !== undefined && 'cursor' in input.entries;

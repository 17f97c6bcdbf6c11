/** The types and ids of documented examples. No Worker contains this file. */
import type { Contracts } from './contract.ts';

/** A request that readers of the document can send unchanged. A test sends each one and checks the answer. */
export interface RouteExample {
  summary: string;
  /** Status of the answer: one of the route's `responses` or of its errors. */
  status: number;
  /** Path parameters, if they differ from `SAMPLE`. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** Whether the person who asks has an address that isn't confirmed yet. */
  unconfirmed?: true;
  /** An illustrative body of the answer. */
  response?: unknown;
}

/** The examples of a group of routes, by their operation ids. */
export type Examples<Group extends Contracts> = { readonly [Id in keyof Group]: readonly RouteExample[] };

/** A valid id that belongs to nothing. */
export const NOBODYS = '00000000-0000-4000-8000-000000000000';

export const unknownSite: RouteExample = {
  summary: 'Nobody’s site',
  status: 404,
  params: { siteId: NOBODYS },
};
export const unknownEnvironment: RouteExample = {
  summary: 'Nobody’s environment',
  status: 404,
  params: { environmentId: NOBODYS },
};

/**
 * Ids in documented examples. The test that sends the examples replaces them with ids of its own tenant, so use them in every example that
 * names existing data.
 */
export const SAMPLE = {
  siteId: '7d2f3c1e-5a84-4b8f-9c57-0e6f1a2b3c4d',
  projectId: '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b',
  annotationId: '4e8a1c36-92d7-4b05-a1f3-6d2c7b9e0f51',
  importId: '7b3d9c52-e418-4f06-a2c7-d9f15b80e643',
  alertId: '8d4f2b71-3a6e-4c95-b0d7-1e5c9a2f7b38',
  environmentAlertId: '6f1b8e35-2d7c-4a90-9e43-c8d05b7a1f26',
  segmentId: '2c6e9b04-7d1f-4a38-b5c2-8f0a3e6d9174',
  shareId: 'c5b0d9e2-1f47-4a63-8e9d-2b7a6f3c0d18',
  shareSecret: 'q7Jx2mVbT0nRkW5yPzLs8HdCf3GaUe9XiYo1Bv6KtQE',
  lockedSecret: 'F4uN8wZr6Dk2oXeJ1sBtMq9GyVh7PcLi0KaTz3RxYbA',
  goalId: '5f0c7a52-8d1e-4b39-a6c4-2e9b1d7f3a60',
  environmentId: '3f6b2d90-7c14-4e8a-b5d1-60a9c8e7f214',
  userId: 'b1c7e5a8-4d20-4f93-9a6e-3e8d5f2c0b79',
  sessionId: 'd2a9f4c6-81b3-4e07-8c5d-7f1e6a3b9048',
  invitationId: 'e7d3b8f1-2a65-4c90-b3f8-14c6d9a0e572',
  invitationSecret: 'Zk3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI',
  channelId: '8f2d6c14-a93e-4b70-95c8-1e7a4d3b6f02',
  deliveryId: '5e7a1c39-b4d2-4f86-a0e7-3c9d8b6f1254',
  /** The group of the failed span that tests add beside these ids. */
  errorId: '26ab7a5eaa921113',
  mailReportId: '6c2e8f41-b7d0-4593-a1e8-9f3d5c7b2064',
  mailChannelId: '9a5c3e17-d2f6-4084-b8c9-4e1d7a6f3b52',
  confirmProof: 'c0Jm5VtYxQ8nRb2WkZs6LpHdFg4UaTe9XiDo3Bv7KyE',
  unsubscribeProof: 'u7Rk1WqZyP5mTb8XnVs3JdGcHf6LaUe0YiCo9Dv2KtM',
  reportProof: 'r4Np9ZsXwK2vQb6YmTt1HeFgJd8UaLc5ViBo0Gx3RyI',
  ingestKeyId: '0c8e5b72-6f9d-4a13-8e24-b5d7f1c3a906',
  apiKeyId: '6a4f1d83-e5b7-4c29-9d06-8c2e7b5a3f10',
  queryTokenId: '9e2b7c54-1f8a-4d36-b0c9-5a7d3e6f8b21',
  viewGrantId: '4d8b6f20-9c3e-4a75-b1d8-7e5f2c9a0b64',
  email: 'ada@example.pt',
  password: 'seven lamps and a ladder',
  totpCode: '492817',
  backupCode: 'hT4mQ-9xLpW',
  confirmationToken:
    'eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLnB0IiwiaWF0IjoxNzk1MjUxNjAwLCJleHAiOjE3OTUzMzgwMDB9.' +
    'Vb8nTq4WzLk2XyRmD7sHcJ0gPa5fUe1oYi6KtQv3M9E',
  resetToken: 'Qm4Zt8Kw2Xv6Rb1Ns5Lp9Hd3',
  funnelId: '8a3e6d14-0b7c-4f25-9e81-c5d2a4b6f038',
  traceId: '5b8efff798038103d269b633813fc60c',
} as const;

import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import {
  ChangeMember,
  CreateEnvironment,
  CreateIngestKey,
  CreateProject,
  InviteMember,
  JoinProject,
  ListAuditLog,
  OneEnvironment,
  OneIngestKey,
  OneInvitation,
  OneMember,
  OneProject,
  PreviewInvitation,
  RenameEnvironment,
  RenameProject,
} from '../../../lib/projects/schemas.ts';

const ID = '0b0e6a3c-6d1e-4c1c-9a6e-2f3f9f3a8b11';
const [projectId, userId, environmentId, invitationId, ingestKeyId] = [ID, ID, ID, ID, ID];
const SECRET = 'a'.repeat(43);

type Schema = Parameters<typeof safeParse>[0];

/** What a schema makes of an input; undefined if it refuses it. */
function read(schema: Schema, input: unknown): unknown {
  const { success, output } = safeParse(schema, input);
  return success ? output : undefined;
}

test.each<[string, Schema, object]>([
  ['OneProject', OneProject, { projectId }],
  ['CreateProject', CreateProject, { name: 'Lamps' }],
  ['RenameProject', RenameProject, { projectId, name: 'Lamps' }],
  ['OneMember', OneMember, { projectId, userId }],
  ['ChangeMember', ChangeMember, { projectId, userId, role: 'admin' }],
  ['InviteMember', InviteMember, { projectId, role: 'owner', email: 'ada@example.com' }],
  ['OneInvitation', OneInvitation, { projectId, invitationId }],
  ['PreviewInvitation', PreviewInvitation, { secret: SECRET }],
  ['JoinProject', JoinProject, { secret: SECRET }],
  ['OneEnvironment', OneEnvironment, { projectId, environmentId }],
  ['CreateEnvironment', CreateEnvironment, { projectId, name: 'production' }],
  ['RenameEnvironment', RenameEnvironment, { projectId, environmentId, name: 'production' }],
  ['CreateIngestKey', CreateIngestKey, { projectId, environmentId, name: 'api', outcomes: true }],
  ['OneIngestKey', OneIngestKey, { projectId, environmentId, ingestKeyId }],
  [
    'ListAuditLog',
    ListAuditLog,
    { projectId, action: 'member', userId, result: 'failed', limit: 100, cursor: 'c'.repeat(73) },
  ],
])('%s takes all of its fields, and no other', (_, schema, input) => {
  expect(read(schema, input)).toEqual(input);
  expect(read(schema, { ...input, other: 1 })).toBeUndefined();
  for (const field of Object.keys(input)) {
    expect(read(schema, { ...input, [field]: 0 }), `${field} is not text`).toBeUndefined();
    if (field.endsWith('Id'))
      expect(read(schema, { ...input, [field]: 'x' }), `${field} is no id`).toBeUndefined();
  }
});

test('what is left out has a default', () => {
  expect(read(CreateIngestKey, { projectId, environmentId, name: ' api ' })).toEqual({
    ...{ projectId, environmentId, name: 'api', outcomes: false },
  });
  expect(read(ListAuditLog, { projectId })).toEqual({ projectId, limit: 50 });
  expect(read(InviteMember, { projectId, role: 'viewer' })).toEqual({ projectId, role: 'viewer' });
});

test.each([
  ['a', true],
  ['0', true],
  ['staging-eu', true],
  ['v1.2_b', true],
  ['a'.repeat(64), true],
  ['', false],
  ['a'.repeat(65), false],
  ['Production', false],
  ['-a', false],
  ['a.', false],
  ['a b', false],
  ['a\n', false],
])('%j as the name of an environment: %s', (name, isRight) => {
  expect(read(CreateEnvironment, { projectId, name }) !== undefined).toBe(isRight);
});

test.each([
  [{ action: 'ingest-key.create' }, true],
  [{ action: 'query-token' }, true],
  [{ action: 'a'.repeat(40) }, true],
  [{ action: 'a'.repeat(41) }, false],
  [{ action: '' }, false],
  [{ action: 'member.' }, false],
  [{ action: 'a.b.c' }, false],
  [{ action: 'Member' }, false],
  [{ action: '1member' }, false],
  [{ result: 'done' }, true],
  [{ result: 'FORBIDDEN' }, false],
  [{ limit: 0 }, false],
  [{ limit: 101 }, false],
  [{ cursor: 'c'.repeat(74) }, false],
  [{ cursor: '' }, false],
])('%j in a request for the audit log: %s', (field, isRight) => {
  expect(read(ListAuditLog, { projectId, ...field }) !== undefined).toBe(isRight);
});

test.each([
  [{ role: 'reader' }, false],
  [{ email: 'nobody' }, false],
  [{ email: ' Ada@Example.com ' }, true],
])('%j in an invitation: %s', (field, isRight) => {
  expect(read(InviteMember, { projectId, role: 'viewer', ...field }) !== undefined).toBe(isRight);
});

test.each([`${SECRET}a`, SECRET.slice(1), `${SECRET.slice(1)}+`, `${SECRET}\n`])(
  '%j is no secret',
  (secret) => {
    expect(read(JoinProject, { secret })).toBeUndefined();
    expect(read(PreviewInvitation, { secret })).toBeUndefined();
  },
);

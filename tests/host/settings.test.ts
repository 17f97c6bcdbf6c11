import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, SettingError } from '../../host/settings.ts';

test('nothing is needed', () => {
  expect(readSettings({ PATH: '/bin', HOME: '/root' })).toMatchObject({
    PUBLIC_URL: 'http://localhost:8787',
    CONTENT_URL: 'http://content.localhost:8787',
    LISTEN: { host: '127.0.0.1', port: 8787 },
    DATA_FOLDER: './data',
    SIGN_UP: 'closed',
  });
});

test.each([
  ['https://stats.example.com', 'https://content.stats.example.com'],
  ['http://127.0.0.1:9000', 'http://content.localhost:9000'],
  ['http://[::1]:9000', 'http://content.localhost:9000'],
])('beside %s the content service has %s', (PUBLIC_URL, expected) => {
  expect(readSettings({ PUBLIC_URL }).CONTENT_URL).toBe(expected);
});

test.each([
  ['unix:/run/vendor.sock', { socket: '/run/vendor.sock' }],
  ['[::]:80', { host: '::', port: 80 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
])('LISTEN=%s', (LISTEN, expected) => {
  expect(readSettings({ LISTEN }).LISTEN).toEqual(expected);
});

test.each([
  [{ PUBLIC_URL: 'stats.example.com' }, 'PUBLIC_URL must be an address'],
  [{ PUBLIC_URL: 'ftp://example.com' }, 'PUBLIC_URL must begin with'],
  [{ PUBLIC_URL: 'https://example.com/stats' }, 'PUBLIC_URL must be an address without a path'],
  [{ LISTEN: '8787' }, 'LISTEN must be host:port'],
  [{ LISTEN: 'localhost:65536' }, 'LISTEN must have a port of at most 65535'],
  [{ PROCESSES: '0' }, 'PROCESSES must be at least 1'],
  [{ PROCESSES: '65' }, 'PROCESSES must be at most 64'],
  [{ PROCESSES: 'two' }, 'PROCESSES must be a number'],
  [{ SIGN_UP: 'yes' }, 'SIGN_UP must be closed or open'],
  [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL must be a connection string that begins with postgres://'],
  [{ TRUSTED_PROXIES: '10.0.0.0/40' }, 'TRUSTED_PROXIES must be addresses and networks'],
  [{ AUTH_KEY: 'short' }, 'AUTH_KEY must have at least 32 characters'],
  [{ SMTP_URL: 'smtp://localhost' }, 'MAIL_FROM is missing'],
  [{ TRUSTED_PROXY: '10.0.0.1' }, undefined],
  [{ DATABSE_URL: 'x' }, 'DATABSE_URL is no setting. Is DATABASE_URL meant?'],
  [{ PUBLIC_ULR: 'x' }, 'PUBLIC_ULR is no setting. Is PUBLIC_URL meant?'],
  [{ LISTEN_FILE: '/nowhere/at/all' }, 'LISTEN_FILE: ENOENT'],
  [{ LISTEN: 'unix:/a', LISTEN_FILE: '/b' }, 'LISTEN and LISTEN_FILE are both set'],
])('%o: %s', (env, message) => {
  if (message === undefined) return void expect(() => readSettings(env)).not.toThrow();
  expect(() => readSettings(env)).toThrow(SettingError);
  expect(() => readSettings(env)).toThrow(message);
});

test('a value may be in a file, and an empty one is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-settings-'));
  try {
    const file = join(folder, 'url');
    writeFileSync(file, 'postgres://somewhere/else\n');
    expect(readSettings({ DATABASE_URL: '', DATABASE_URL_FILE: file }).DATABASE_URL).toBe(
      'postgres://somewhere/else',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

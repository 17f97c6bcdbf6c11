/** Hooks of Node's module loader. */
declare module 'import-in-the-middle/hook.mjs' {
  export function initialize(data: { include?: string[] }): Promise<void>;
  export const load: import('node:module').LoadHook;
  export const resolve: import('node:module').ResolveHook;
}

declare module 'import-in-the-middle/supports-sync-hooks.mjs' {
  export function supportsSyncHooks(): boolean;
}

declare module 'import-in-the-middle/register-hooks.mjs' {
  export function register(data: { include?: string[] }): void;
}

/** Hooks of Node's module loader. */
declare module 'import-in-the-middle/hook.mjs' {
  export function initialize(data: { include?: string[] }): Promise<void>;
  export const load: import('node:module').LoadHook;
  export const resolve: import('node:module').ResolveHook;
}

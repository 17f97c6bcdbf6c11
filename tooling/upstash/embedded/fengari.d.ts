/** Types for the used part of fengari, a Lua in JavaScript, which has none of its own. */
declare module 'fengari' {
  /** Bytes without a NUL at the end. */
  export type LuaString = Uint8Array;
  export interface LuaState {
    readonly state: unique symbol;
  }
  export type LuaFunction = (state: LuaState) => number;

  export function to_luastring(text: string): LuaString;

  export const lua: {
    LUA_OK: number;
    LUA_TNIL: number;
    LUA_TBOOLEAN: number;
    LUA_TNUMBER: number;
    LUA_TSTRING: number;
    LUA_TTABLE: number;
    LUA_MASKCOUNT: number;
    lua_call(state: LuaState, args: number, results: number): void;
    lua_createtable(state: LuaState, items: number, fields: number): void;
    lua_error(state: LuaState): never;
    lua_getfield(state: LuaState, index: number, name: LuaString): number;
    lua_getglobal(state: LuaState, name: LuaString): number;
    lua_gettop(state: LuaState): number;
    lua_pcall(state: LuaState, args: number, results: number, handler: number): number;
    lua_pop(state: LuaState, count: number): void;
    lua_pushboolean(state: LuaState, value: boolean): void;
    lua_pushcfunction(state: LuaState, value: LuaFunction): void;
    lua_pushnumber(state: LuaState, value: number): void;
    lua_pushstring(state: LuaState, value: LuaString): void;
    lua_pushvalue(state: LuaState, index: number): void;
    lua_rawgeti(state: LuaState, index: number, item: number): number;
    lua_rawseti(state: LuaState, index: number, item: number): void;
    lua_setfield(state: LuaState, index: number, name: LuaString): void;
    lua_setglobal(state: LuaState, name: LuaString): void;
    lua_sethook(state: LuaState, hook: LuaFunction | null, mask: number, count: number): void;
    lua_settop(state: LuaState, top: number): void;
    lua_toboolean(state: LuaState, index: number): boolean;
    lua_tonumber(state: LuaState, index: number): number;
    lua_tostring(state: LuaState, index: number): LuaString;
    lua_type(state: LuaState, index: number): number;
  };
  export const lauxlib: {
    luaL_loadbuffer(state: LuaState, source: LuaString, length: number, name: LuaString): number;
    luaL_newstate(): LuaState;
    luaL_requiref(state: LuaState, name: LuaString, open: LuaFunction, global: number): void;
  };
  export const lualib: {
    luaopen_base: LuaFunction;
    luaopen_math: LuaFunction;
    luaopen_string: LuaFunction;
    luaopen_table: LuaFunction;
  };
}

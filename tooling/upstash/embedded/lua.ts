import { type LuaState, lauxlib, lua, lualib, to_luastring } from 'fengari';
import { type Command, Failure, type Reply } from '../redis-reply.ts';
import { luaBytes, popReply, pushReply, stringAt } from './lua-values.ts';

/** A compiled script, run with KEYS and ARGV. Throws a `Failure` for every error in it. */
export type Script = (keys: readonly string[], args: readonly string[]) => Reply;

type Call = (command: Command) => Reply;

/** Redis would answer BUSY; here a script ends after this number of steps. */
const MAX_STEPS = 10_000_000;

/** Redis has Lua 5.1. This one is 5.3, whose numbers may be integers. */
const PRELUDE = `
  local convert = tonumber
  tonumber = function(...) local n = convert(...) return n and n + 0.0 end
  dofile, load, loadfile, print, require, collectgarbage = nil`;

const name = (text: string) => to_luastring(text);

/** Compiles a script into a Lua state of its own, so that globals aren't shared. Throws a `Failure`. */
export function compileScript(source: string, call: Call): Script {
  const state = lauxlib.luaL_newstate();
  openLibraries(state);
  load(state, PRELUDE);
  lua.lua_call(state, 0, 0);
  defineRedis(state, call);
  load(state, source);
  return (keys, args) => {
    setGlobalList(state, 'KEYS', keys);
    setGlobalList(state, 'ARGV', args);
    lua.lua_sethook(state, stopEndless, lua.LUA_MASKCOUNT, MAX_STEPS);
    lua.lua_pushvalue(state, -1);
    const failed = lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK;
    const result = failed ? popError(state) : popReply(state);
    if (result instanceof Failure) throw result;
    return result;
  };
}

function openLibraries(state: LuaState): void {
  const { luaopen_base, luaopen_math, luaopen_string, luaopen_table } = lualib;
  const libraries = { _G: luaopen_base, math: luaopen_math, string: luaopen_string, table: luaopen_table };
  for (const [library, open] of Object.entries(libraries)) {
    lauxlib.luaL_requiref(state, name(library), open, 1);
    lua.lua_pop(state, 1);
  }
}

function load(state: LuaState, source: string): void {
  const bytes = luaBytes(source);
  if (lauxlib.luaL_loadbuffer(state, bytes, bytes.length, name('@user_script')) === lua.LUA_OK) return;
  const reason = stringAt(state, -1);
  throw new Failure(`ERR Error compiling script (new function): ${reason}`);
}

function defineRedis(state: LuaState, call: Call): void {
  lua.lua_createtable(state, 0, 1);
  lua.lua_pushcfunction(state, (inner) => {
    const [first, ...rest] = argumentsOf(inner);
    const reply =
      first === undefined ? new Failure('ERR no arguments for redis.call()') : call([first, ...rest]);
    pushReply(inner, reply);
    if (reply instanceof Failure) lua.lua_error(inner);
    return 1;
  });
  lua.lua_setfield(state, -2, name('call'));
  lua.lua_setglobal(state, name('redis'));
}

/** The arguments that a script passes to Redis: strings, and numbers as JavaScript prints them, without `.0`. */
function argumentsOf(state: LuaState): string[] {
  const args: string[] = [];
  for (let i = 1; i <= lua.lua_gettop(state); i++) {
    const type = lua.lua_type(state, i);
    if (type === lua.LUA_TNUMBER) args.push(String(lua.lua_tonumber(state, i)));
    else if (type === lua.LUA_TSTRING) args.push(stringAt(state, i));
    else {
      pushReply(state, new Failure('ERR Lua redis lib command arguments must be strings or integers'));
      lua.lua_error(state);
    }
  }
  return args;
}

function setGlobalList(state: LuaState, global: string, items: readonly string[]): void {
  pushReply(state, [...items]);
  lua.lua_setglobal(state, name(global));
}

/** A script's error: a table that `redis.call` raised, or text with its position. */
function popError(state: LuaState): Failure {
  if (lua.lua_type(state, -1) === lua.LUA_TSTRING) {
    const reason = stringAt(state, -1);
    lua.lua_pop(state, 1);
    return new Failure(`ERR ${reason}`);
  }
  const reply = popReply(state);
  return reply instanceof Failure ? reply : new Failure('ERR unknown error in the script');
}

function stopEndless(state: LuaState): number {
  pushReply(state, new Failure('ERR the script runs without end'));
  return lua.lua_error(state);
}

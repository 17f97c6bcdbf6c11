import { type LuaState, type LuaString, lua, to_luastring } from 'fengari';
import { Failure, OK, type Reply, Status } from '../redis-reply.ts';

/** No client reads deeper values; a table that contains itself would have no end. */
const MAX_DEPTH = 32;

const ERR = to_luastring('err');
const STATUS = to_luastring('ok');

export const luaBytes = (bytes: string): LuaString => Uint8Array.from(Buffer.from(bytes, 'latin1'));

export const stringAt = (state: LuaState, index: number): string =>
  Buffer.from(lua.lua_tostring(state, index)).toString('latin1');

/** Pushes a reply in the form that scripts see: nil is false; errors and statuses are tables with one field. */
export function pushReply(state: LuaState, reply: Reply): void {
  if (reply === null) lua.lua_pushboolean(state, false);
  // As a float: integers of this Lua have 32 bits.
  else if (typeof reply === 'number') lua.lua_pushnumber(state, reply);
  else if (typeof reply === 'string') lua.lua_pushstring(state, luaBytes(reply));
  else if (reply instanceof Failure) pushField(state, ERR, reply.message);
  else if (reply instanceof Status) pushField(state, STATUS, reply.text);
  else {
    lua.lua_createtable(state, reply.length, 0);
    for (const [i, item] of reply.entries()) {
      pushReply(state, item);
      lua.lua_rawseti(state, -2, i + 1);
    }
  }
}

function pushField(state: LuaState, field: LuaString, text: string): void {
  lua.lua_createtable(state, 0, 1);
  lua.lua_pushstring(state, luaBytes(text));
  lua.lua_setfield(state, -2, field);
}

/** Pops a script's result: numbers lose their fraction, and a list ends at its first nil. */
export function popReply(state: LuaState, depth = 0): Reply {
  const reply = replyAtTop(state, depth);
  lua.lua_pop(state, 1);
  return reply;
}

function replyAtTop(state: LuaState, depth: number): Reply {
  switch (lua.lua_type(state, -1)) {
    case lua.LUA_TSTRING:
      return stringAt(state, -1);
    case lua.LUA_TNUMBER:
      return Math.trunc(lua.lua_tonumber(state, -1));
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, -1) ? 1 : null;
    case lua.LUA_TTABLE:
      return tableAtTop(state, depth);
    default:
      return null;
  }
}

function tableAtTop(state: LuaState, depth: number): Reply {
  if (depth >= MAX_DEPTH) return new Failure('ERR reached lua stack limit');
  const error = fieldAtTop(state, ERR);
  if (error !== undefined) return new Failure(error);
  const status = fieldAtTop(state, STATUS);
  if (status !== undefined) return status === OK.text ? OK : new Status(status);
  const items: Reply[] = [];
  while (lua.lua_rawgeti(state, -1, items.length + 1) !== lua.LUA_TNIL) {
    items.push(popReply(state, depth + 1));
  }
  lua.lua_pop(state, 1);
  return items;
}

function fieldAtTop(state: LuaState, field: LuaString): string | undefined {
  const isText = lua.lua_getfield(state, -1, field) === lua.LUA_TSTRING;
  const text = isText ? stringAt(state, -1) : undefined;
  lua.lua_pop(state, 1);
  return text;
}

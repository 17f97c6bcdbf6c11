import http from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { start } from '@vendor/sdk-node';
import pg from 'pg';
import pino from 'pino';
import { runShop } from './make-shop.mjs';

// Started already, by whatever came before: this is how an application gets hold of it.
await runShop({ http, pg, pino, DatabaseSync, sdk: start() });

const sdk = require('@vendor/sdk-node').start();
const http = require('node:http');
const { DatabaseSync } = require('node:sqlite');
const pg = require('pg');
const pino = require('pino');
const { runShop } = require('./make-shop.mjs');

runShop({ http, pg, pino, DatabaseSync, sdk });

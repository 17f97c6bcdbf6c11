/** Each way to execute a statement by node:sqlite, within a span of its name. It prints what the application got. */
import { DatabaseSync } from 'node:sqlite';
import { trace } from '@opentelemetry/api';

const failed = (call) => {
  try {
    return call();
  } catch ({ code, errcode, message }) {
    return [code, errcode, message];
  }
};
const database = new DatabaseSync(':memory:');
database.exec("create table words (id integer primary key, word text check (word <> 'wrong'))");
const all = database.prepare("select id, word, 'secret' as third from words order by id");
const insert = database.prepare('insert into words (word) values (?)');

const WAYS = {
  exec: () => database.exec("insert into words (word) values ('secret'), ('b'), ('c')"),
  'exec, failing': () => failed(() => database.exec("insert into words (word) values ('wrong')")),
  'exec, wrong SQL': () => failed(() => database.exec("select 'secret' frm words")),
  run: () => insert.run('secret').changes,
  'run, failing': () => failed(() => insert.run('wrong')),
  'run, wrong argument': () => failed(() => insert.run({}, new Map())),
  get: () => database.prepare('select word from words where id = :id').get({ ':id': 1 }).word,
  'get nothing': () => database.prepare('select word from words where id = 77').get(),
  all: () => all.all().length,
  'iterate to the end': () => [...all.iterate()].length,
  'iterate, broken off': () => {
    for (const row of all.iterate()) return row.id;
  },
  'iterate, the loop throws': () =>
    failed(() => {
      for (const row of all.iterate()) throw new Error(`own ${row.id}`);
    }),
  'iterate, failing': () => {
    const broken = database.prepare(
      'select abs(case id when 2 then -9223372036854775808 else id end) from words',
    );
    return failed(() => [...broken.iterate()].length);
  },
  'iterate by hand': () => {
    const rows = all.iterate();
    const first = rows.next().value.id;
    return [first, rows.return().done, rows.next().done, typeof rows.map];
  },
  'iterate by helpers': () => all.iterate().take(2).toArray().length,
  'prepare, failing': () => failed(() => database.prepare("select 'secret' from nowhere")),
  'prepare alone': () => typeof database.prepare('select 1 from words'),
  'no text': () => failed(() => database.prepare(7)),
};
if (typeof database.createTagStore === 'function') {
  const tags = database.createTagStore();
  Object.assign(WAYS, {
    'tag store, all': () => tags.all`select word from words where word = ${'secret'}`.length,
    'tag store, get': () => tags.get`select word from words where id = ${2}`.word,
    'tag store, run': () => tags.run`insert into words (word) values (${'secret'})`.changes,
    'tag store, iterate': () => [...tags.iterate`select id from words where id < ${3}`].length,
    'tag store, failing': () => failed(() => tags.get`select ${'secret'} from nowhere`),
  });
}

for (const [name, way] of Object.entries(WAYS))
  trace.getTracer('ways').startActiveSpan(name, (span) => {
    process.stdout.write(`${JSON.stringify([name, way() ?? null])}\n`);
    span.end();
  });
database.close();

/** Reads operations from the sources of the package that Cloudflare generates from its OpenAPI. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Operation {
  method: string;
  /** `/accounts/{}/queues`. */
  path: string;
  /** Names that a body must have, and all that it may have. Undefined: the body isn't an object of named fields. */
  required?: string[];
  fields?: string[];
}

/** The parts of the API that a deployment uses. */
const SUBJECTS = ['accounts', 'dns', 'memberships', 'queues', 'user', 'workers', 'zones'];
const USED =
  /^\/(accounts|memberships|user|user\/tokens\/verify|zones|zones\/\{\}\/(workers\/routes|dns_records)(\/\{\})?|accounts\/\{\}\/(queues|workers\/(scripts|subdomain|assets|workers))(?!.*(tails|domains|observability)).*)$/;

const CALL =
  /^ {4,8}(\w+)\([^)]*\) \{\n[\s\S]*?_client\.(\w+)\((?:\(0, path_1\.path\) )?[`']([^`']+)[`']([\s\S]*?)\n {4,8}\}$/gm;

export async function readOperations(resources: string): Promise<Operation[]> {
  const names = await readdir(resources, { recursive: true });
  const files = names.filter(
    (name) => name.endsWith('.js') && SUBJECTS.includes(name.split(/[/\\.]/)[0] ?? ''),
  );
  const operations = new Map<string, Operation>();
  for (const file of files) {
    const [code, types] = await Promise.all(
      ['.js', '.d.ts'].map((end) => readFile(join(resources, file.replace(/\.js$/, end)), 'utf8')),
    );
    for (const [, verb = '', call = '', template = '', rest = ''] of (code ?? '').matchAll(CALL)) {
      const path = template.replaceAll(/\$\{[^}]*\}/g, '{}');
      if (!USED.test(path)) continue;
      const method = call === 'getAPIList' ? (/method: '(\w+)'/.exec(rest)?.[1] ?? 'get') : call;
      const operation = { method: method.toUpperCase(), path, ...bodyOf(types ?? '', verb) };
      operations.set(`${path} ${operation.method}`, operation);
    }
  }
  return [...operations.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, operation]) => operation);
}

/** The fields that the type of a verb's parameters calls parts of the body. */
function bodyOf(types: string, verb: string): Pick<Operation, 'required' | 'fields'> {
  const name = new RegExp(`^ {4}${verb}\\(.*params\\??: (\\w+)`, 'm').exec(types)?.[1];
  if (name === undefined) return {};
  const whole = new RegExp(`^export interface ${name} (?:extends [^{]*)?\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(
    types,
  )?.[1];
  if (whole === undefined) return {};
  const fields = [...whole.matchAll(/^ {4}\/\*\*([\s\S]*?)\*\/\n {4}'?([\w-]+)'?(\??):/gm)].flatMap(
    ([, comment = '', field = '', optional]) =>
      comment.includes('Body param') ? [{ field, isRequired: optional === '' }] : [],
  );
  if (fields.some(({ field }) => field === 'body')) return {};
  return {
    required: fields.filter(({ isRequired }) => isRequired).map(({ field }) => field),
    fields: fields.map(({ field }) => field),
  };
}

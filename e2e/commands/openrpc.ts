import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDocument } from '../openrpc/document.ts'
import { printReference } from '../openrpc/reference.ts'
import { printTypings } from '../openrpc/typings.ts'

/** Writes the OpenRPC document of the provider, its TypeScript declarations and its reference, in the form that `npm run check` wants. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const document = buildDocument(version)
const targets = {
  'e2e/dapp/openrpc.json': JSON.stringify(document),
  'src/provider/satchel.d.ts': printTypings(document),
}
writeFileSync(join(ROOT, 'src/provider/OPERATIONS.md'), printReference(document))
for (const [path, text] of Object.entries(targets)) writeFileSync(join(ROOT, path), text)
execFileSync(
  join(ROOT, 'node_modules/.bin/biome'),
  ['format', '--write', ...Object.keys(targets)],
  {
    cwd: ROOT,
    stdio: 'inherit',
  },
)

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDocument } from '../openrpc/document.ts'

/** Writes the OpenRPC document of the provider, in the form that `npm run check` wants. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const TARGET = join(ROOT, 'e2e/dapp/openrpc.json')

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
writeFileSync(TARGET, JSON.stringify(buildDocument(version)))
execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', TARGET], {
  cwd: ROOT,
  stdio: 'inherit',
})

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findPackages } from './bundled-packages.ts'
import { joinLicences, LICENCES_FILE, writeLicences } from './licences/licences.ts'
import { readLockFile } from './lock-file.ts'
import { bundle } from './packages/bundle.ts'
import { writeDeclarations } from './packages/declarations.ts'
import {
  describePackage,
  PACKAGE_NAMES,
  type PackageName,
  type PackedPackage,
} from './packages/packages.ts'
import { writeReadme } from './packages/readme.ts'

// `npm run pack -- devnet` or `chain-node`: a package for other projects, in `dist/packages/`. It publishes nothing.

/**
 * Makes the folder of a package and a tarball of it beside that: the same bytes from the same source.
 *
 * @param into - where both go
 * @returns the path of the tarball
 */
export function pack(root: string, name: PackageName, into: string): string {
  const described = describePackage(root, name)
  const folder = join(into, name)
  rmSync(folder, { recursive: true, force: true })
  const { files, outside, inputs } = bundle(root, described)
  const declarations = writeDeclarations(root, described.entry)
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  for (const [path, content] of files) write(`dist/${path}`, content)
  for (const [path, text] of declarations) write(`types/${path}`, text)
  const command = `bin/${described.fields.name}.js`
  write(command, `#!/usr/bin/env node\nimport '../dist/${nameOutput(described.command)}'\n`)
  chmodSync(join(folder, command), 0o755)
  const packages = findPackages(inputs)
  write(LICENCES_FILE, writeLicences(root, packages))
  const license = joinLicences(root, packages)
  const manifest = writeManifest(root, described, { license, outside })
  const readme = writeReadme(root, `release/packages/${name}/README.md`)
  write('README.md', readme.replace('-VERSION.tgz', `-${manifest.version}.tgz`))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  write('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  return join(into, packFolder(folder))
}

function writeManifest(
  root: string,
  { entry, fields }: PackedPackage,
  { license, outside }: { license: string; outside: readonly string[] },
) {
  const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    name: fields.name,
    version,
    description: fields.description,
    keywords: fields.keywords,
    license,
    type: 'module',
    engines,
    ...(fields.os && { os: fields.os }),
    bin: { [fields.name]: `bin/${fields.name}.js` },
    exports: {
      '.': {
        types: `./types/${entry.replace(/^src\/|\.ts$/g, '')}.d.ts`,
        default: `./dist/${nameOutput(entry)}`,
      },
    },
    files: ['bin', 'dist', 'types', LICENCES_FILE],
    dependencies: lockVersions(root, outside),
  }
}

/** The versions that are tested here. */
function lockVersions(root: string, names: readonly string[]): { [name: string]: string } {
  const { packages } = readLockFile(root)
  return Object.fromEntries(
    names.map(name => {
      const version = packages[`node_modules/${name}`]?.version
      if (version === undefined) throw new Error(`package-lock.json has no ${name}`)
      return [name, version]
    }),
  )
}

function nameOutput(source: string): string {
  return basename(source).replace(/\.ts$/, '.js')
}

/** The name of the tarball, which is beside the folder. */
function packFolder(folder: string): string {
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', dirname(folder)],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [{ filename }]: [{ filename: string }] = JSON.parse(output)
  return filename
}

if (process.argv[1] === import.meta.filename) {
  const ROOT = join(import.meta.dirname, '..')
  const asked = process.argv.slice(2)
  const unknown = asked.find(name => !PACKAGE_NAMES.some(known => known === name))
  if (unknown !== undefined) {
    process.stderr.write(`There is no package ${unknown}, only ${PACKAGE_NAMES.join(' and ')}.\n`)
    process.exit(1)
  }
  for (const name of PACKAGE_NAMES) {
    if (asked.length > 0 && !asked.includes(name)) continue
    process.stdout.write(`${pack(ROOT, name, join(ROOT, 'dist/packages'))}\n`)
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { readAllowedPackages } from './bundled-packages.ts'
import { type LockFile, readLockFile } from './lock-file.ts'
import { formatSbom, formatToolsSbom } from './sbom.ts'
import bomSchema from './testing/bom-1.6.schema.json'
import jsfSchema from './testing/jsf-0.82.schema.json'
import spdxSchema from './testing/spdx.schema.json'

const ROOT = join(import.meta.dirname, '..')
const allowed = readAllowedPackages(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
const OPTIONS = {
  name: 'satchel-chrome',
  version: '1.2.3',
  packages: [...allowed].map(name => `node_modules/${name}`),
  lock: readLockFile(ROOT),
  zip: new TextEncoder().encode('abc'),
}
const NESTED = 'node_modules/bitcoinjs-lib/node_modules/@noble/hashes'

const ajv = new Ajv({ strict: false, logger: false })
ajv.addSchema(spdxSchema, 'http://cyclonedx.org/schema/spdx.schema.json')
ajv.addSchema(jsfSchema, 'http://cyclonedx.org/schema/jsf-0.82.schema.json')
const validate = ajv.compile(bomSchema)

function listErrors(text: string) {
  validate(JSON.parse(text))
  return validate.errors ?? []
}

describe('the bill of materials', () => {
  it('is CycloneDX 1.6, by its schema', () => {
    const text = formatSbom({ ...OPTIONS, packages: [...OPTIONS.packages, NESTED] })
    expect(listErrors(text)).toEqual([])
    expect(listErrors(text.replace('"library"', '"book"'))).not.toEqual([])
    expect(listErrors(text.replace('"id": "ISC"', '"id": "IFC"'))).not.toEqual([])
  })

  it('has version, licence and hash of every package, and of the zip', () => {
    const { components, metadata } = JSON.parse(formatSbom(OPTIONS))
    expect(components).toHaveLength(allowed.size)
    const react = components.find(({ name }: { name: string }) => name === 'react')
    const locked = OPTIONS.lock.packages['node_modules/react']
    const digest = Buffer.from(locked?.integrity?.split('-')[1] ?? '', 'base64').toString('hex')
    expect(react).toMatchObject({
      version: locked?.version,
      licenses: [{ license: { id: 'MIT' } }],
      purl: `pkg:npm/react@${locked?.version}`,
      hashes: [{ alg: 'SHA-512', content: digest }],
    })
    // FIPS 180-2, appendix B.1.
    expect(metadata.component.hashes).toEqual([
      {
        alg: 'SHA-256',
        content: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
    ])
  })

  it('says which package needs which, the nested one where Node finds that first', () => {
    const packages = [...OPTIONS.packages, NESTED]
    const { dependencies } = JSON.parse(formatSbom({ ...OPTIONS, packages }))
    const needs = (start: string) =>
      dependencies.find(({ ref }: { ref: string }) => ref.startsWith(start)).dependsOn
    expect(needs('satchel-chrome')).toHaveLength(16)
    expect(needs('pkg:npm/react-dom@')).toEqual([
      expect.stringMatching(/^pkg:npm\/react@/),
      expect.stringMatching(/^pkg:npm\/scheduler@/),
    ])
    expect(needs('pkg:npm/bitcoinjs-lib@')).toContain(
      `pkg:npm/%40noble/hashes@${OPTIONS.lock.packages[NESTED]?.version}`,
    )
  })

  it('is the same for the same bundle, in whatever order it is found, and has another number for another', () => {
    const text = formatSbom(OPTIONS)
    expect(formatSbom({ ...OPTIONS, packages: OPTIONS.packages.toReversed() })).toBe(text)
    const number = (from: string) => JSON.parse(from).serialNumber
    expect(number(formatSbom({ ...OPTIONS, zip: new Uint8Array(3) }))).not.toBe(number(text))
    expect(number(formatSbom({ ...OPTIONS, packages: [] }))).not.toBe(number(text))
  })

  it('is refused for a package that the lock file knows no hash of', () => {
    const lock: LockFile = { lockfileVersion: 3, packages: { 'node_modules/a': { version: '1' } } }
    for (const path of ['node_modules/a', 'node_modules/b', '\0made-up']) {
      expect(() => formatSbom({ ...OPTIONS, packages: [path], lock })).toThrow(
        `no hash for ${path}, which is in the bundle`,
      )
    }
  })
})

describe('the bill of materials of the tools', () => {
  it('has every package of the lock file that is for building and testing alone, out of scope', () => {
    const { lock } = OPTIONS
    const text = formatToolsSbom(lock, '1.2.3')
    expect(listErrors(text)).toEqual([])
    const { components } = JSON.parse(text)
    const purls = components.map(({ purl }: { purl: string }) => purl)
    expect(new Set(purls).size).toBe(purls.length)
    expect(new Set(components.map(({ scope }: { scope: string }) => scope))).toEqual(
      new Set(['excluded']),
    )
    const others = Object.values(lock.packages).filter(({ dev, optional }) => dev || optional)
    expect(components.length).toBeGreaterThan(others.length / 2)
    expect(purls).toContain(`pkg:npm/vite@${lock.packages['node_modules/vite']?.version}`)
    expect(purls).not.toContain(`pkg:npm/react@${lock.packages['node_modules/react']?.version}`)
  })
})

// Roots: what a wallet's phrases and keys are known by in its backups, which tells nothing of what they are.

import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { equalBytes, fromHex, toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { checkName } from '../primitives/check-name.ts'
import { digestOf } from '../primitives/digest.ts'
import { damaged } from './backup-file.ts'
import { MOST_PHRASES, type VaultAccount, type VaultSecret } from './vault-secret.ts'
import { withSeed } from './vault-seed.ts'

/** A name that tells nothing, the key of tags, and which phrase of the vault it is; null for that of an imported key. */
export type Root = { id: Uint8Array; tagKey: Uint8Array; phraseId: string | null }

export const ID_BYTES = 16
export const TAG_BYTES = 32

/** Those of the phrases, then those of imported keys. */
export async function listRoots({ phrases, accounts }: VaultSecret): Promise<Root[]> {
  const roots: Root[] = []
  for (const phrase of phrases)
    roots.push(await withSeed(phrase, seed => deriveRoot(seed, phrase.id)))
  for (const account of accounts)
    if (account.source === 'key') roots.push(deriveRoot(fromHex(account.privateKey), null))
  return roots
}

function deriveRoot(material: Uint8Array, phraseId: string | null): Root {
  const derived = hkdf(sha256, material, undefined, toUtf8('satchel backup'), ID_BYTES + TAG_BYTES)
  return { id: derived.slice(0, ID_BYTES), tagKey: derived.slice(ID_BYTES), phraseId }
}

/** The id under which a file tells of a phrase. */
export function toldIdOf(phraseId: string, roots: readonly Root[]): string {
  const root = roots.find(one => one.phraseId === phraseId)
  if (!root) throw new Error('backup: an account of a phrase that is not there')
  return toHex(root.id)
}

/** The wallet's phrase that a file tells of under this id; null where it is not here. */
export function phraseIdOf(told: unknown, roots: readonly Root[]): string | null {
  const root = roots.find(({ id, phraseId }) => phraseId !== null && toHex(id) === told)
  return root?.phraseId ?? null
}

/** An account without its id, and with the ids of its phrases as files have them. */
export function tellPhrases({ id: _, ...account }: VaultAccount, roots: readonly Root[]): object {
  const told = <A extends { phrase?: string | undefined }>(one: A) =>
    one.phrase === undefined ? one : { ...one, phrase: toldIdOf(one.phrase, roots) }
  if (account.source === 'seed') return told(account)
  if (account.source !== 'device') return account
  return { ...told(account), ...(account.ordinals && { ordinals: told(account.ordinals) }) }
}

/** What a file says of its contents for each of these roots, so that one of them is enough to know whose it is. */
export function listTags(roots: readonly Root[], told: object): { id: string; tag: string }[] {
  return roots.map(root => ({ id: toHex(root.id), tag: toHex(tagOf(root, toJson(told))) }))
}

/** The root of this wallet that a file has a tag of. Throws {@link BackupFileError} where the tag is wrong, or they are no tags. */
export function findTagged(roots: readonly Root[], tags: unknown, told: object): Root | undefined {
  if (!Array.isArray(tags)) throw damaged()
  for (const entry of tags) {
    const { id, tag } = Object(entry)
    const root = roots.find(one => toHex(one.id) === id)
    if (!root) continue
    if (typeof tag !== 'string' || !/^[0-9a-f]{64}$/.test(tag)) throw damaged()
    if (!equalBytes(fromHex(tag), tagOf(root, told))) throw damaged()
    return root
  }
  return undefined
}

/** Names of phrases by the ids of a file. Throws {@link BackupFileError}. */
export function parsePhraseNames(told: unknown): { id: string; name: string }[] {
  if (!Array.isArray(told) || told.length > MOST_PHRASES) throw damaged()
  return told.map(entry => {
    const { id, name, ...others } = Object(entry)
    const isId = typeof id === 'string' && /^[0-9a-f]{32}$/.test(id)
    if (!isId || Object.keys(others).length > 0 || !isName(name)) throw damaged()
    return { id, name }
  })
}

function isName(name: unknown): name is string {
  try {
    return checkName(name) === name
  } catch {
    return false
  }
}

function tagOf({ tagKey }: Root, told: object): Uint8Array {
  return hmac(sha256, tagKey, toUtf8(digestOf(['satchel backup', told])))
}

/** As it is read again. */
function toJson(told: object): object {
  return JSON.parse(JSON.stringify(told))
}
